// How many elements an array has, where only the device knows: one declaration for the kernels and for src/algorithms.
#ifndef CROSSLANE_ARRAY_COUNT_HLSLI
#define CROSSLANE_ARRAY_COUNT_HLSLI

#ifdef __cplusplus
#include <cstdint>
namespace crosslane::kernel_interface {
using uint = std::uint32_t;
#endif

struct ArrayCount {
  uint indirect;   // 1: the number is element `element` of the kernel's `counts`; 0: the host knew
  uint element;
  uint done_low;   // elements of the dispatches before, 64 bits
  uint done_high;
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#else

#include "wide.hlsli"

// How many of the `here` elements that a dispatch was recorded for there are, in an array of `count`, 64 bits.
uint CountHere(ArrayCount array, uint2 count, uint here) {
  const uint2 left = SubtractWide(count, uint2(array.done_low, array.done_high));
  if (left.y >= 0x80000000u) {  // it ended in a dispatch before
    return 0;
  }
  return left.y != 0 ? here : min(left.x, here);
}

#endif  // __cplusplus

#endif  // CROSSLANE_ARRAY_COUNT_HLSLI
