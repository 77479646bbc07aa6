// Writes compiled kernels as C++, so that they become part of a program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::compile {

struct EmbeddedKernel {
  std::string name;
  std::vector<std::uint32_t> spirv;
  /// What dxil_declarations() made: for any wave size, then for certain ones; empty where Direct3D 12 is no part of the
  /// build.
  std::vector<std::string> dxil = {};
};

/// A C++ file that defines `std::span<const crosslane::Kernel> function()`; `function` may be qualified: "my::kernels".
/// The table is sorted by name. Errors: `invalid_argument` for a name that is there twice or cannot be written, and for
/// a function's name that is no C++ name.
Expected<std::string> embed(std::string_view function, std::vector<EmbeddedKernel> kernels);

}  // namespace crosslane::compile
