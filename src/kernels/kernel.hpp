// Compiled kernels as data: every variant is built, checked and embedded at build time (cmake/CrosslaneKernels.cmake).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace crosslane {

/// One variant of one kernel.
struct Kernel {
  std::string_view name;                 ///< "reduce.shuffle.u32.sum"
  std::span<const std::uint32_t> spirv;  ///< a validated module with the entry point "main"
};

/// The library's own kernels, sorted by name.
std::span<const Kernel> kernels();

/// The kernel of that name in a list sorted by name, or null.
const Kernel* find_kernel(std::span<const Kernel> kernels, std::string_view name);

}  // namespace crosslane
