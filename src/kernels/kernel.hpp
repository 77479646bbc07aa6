// The library's own kernels: every variant is built, checked and embedded at build time (cmake/CrosslaneKernels.cmake).
#pragma once

#include <span>
#include <string_view>

#include "crosslane/kernel.hpp"

namespace crosslane {

/// The library's own kernels, sorted by name.
std::span<const Kernel> kernels();

/// The kernel of that name in a list sorted by name, or null.
const Kernel* find_kernel(std::span<const Kernel> kernels, std::string_view name);

}  // namespace crosslane
