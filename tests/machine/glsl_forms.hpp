// How the instructions of GLSL.std.450 are written.
#pragma once

#include <string>

#include "machine/check_instruction.hpp"

namespace crosslane::test {

/// "%r = OpExtInst $R %glsl FMin %a %b".
inline Form glsl(const std::string& name, int operands) {
  return {"%r = OpExtInst $R %glsl " + name +
          std::string(" %a %b %c").substr(0, static_cast<std::size_t>(3 * operands))};
}

}  // namespace crosslane::test
