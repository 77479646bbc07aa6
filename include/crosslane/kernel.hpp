// Compiled kernels as data. The CMake functions of cmake/CrosslaneKernels.cmake compile HLSL at build time, check it
// and make tables of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "crosslane/dxil.hpp"

namespace crosslane {

/// One variant of one kernel.
struct Kernel {
  std::string_view name;                 ///< "reduce.u32.sum.shuffle"
  std::span<const std::uint32_t> spirv;  ///< a validated module with the entry point "main"
  /// The same for Direct3D 12, where the build has it: first for waves of any size, then for certain sizes.
  std::span<const DxilShader> dxil = {};
};

/// The variants of one kernel in a table that crosslane_kernels() made: those whose names begin with `name`.
struct KernelFamily {
  std::span<const Kernel> kernels = {};  ///< sorted by name
  std::string name = {};
};

}  // namespace crosslane
