// Kernels with functors of these tests' own.
#pragma once

#include <span>

#include "crosslane/kernel.hpp"

namespace crosslane::test {

/// "compact.mine" for blocks of 16 bytes; "scan.affine" for pairs of u32; "scan.delayed", the sum of u32 by groups that
/// are put off now and then.
std::span<const Kernel> functors();

}  // namespace crosslane::test
