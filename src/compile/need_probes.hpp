// Asks for each thing that we need: compiles a small shader that uses it, and looks whether it is in the binary.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compile/compiler.hpp"

namespace crosslane::compile {

/// One question that was put to a compiler.
struct ProbeResult {
  std::string name;     ///< "hlsl-2021-templates"
  bool passed = false;  ///< for a fault: it was not seen
  std::string meaning;  ///< what it is needed for; for a fault: what goes wrong, and what is done about it
  std::string detail;   ///< why it failed, in the compiler's words; empty if it passed
};

/// Puts the questions about what we need to anything that compiles like a Compiler.
std::vector<ProbeResult> examine_needs(const std::function<Expected<Result>(const Request&)>& compile);

}  // namespace crosslane::compile
