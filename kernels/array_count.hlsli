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

// How many of the `here` elements that a dispatch was recorded for there are, in an array of `count`, 64 bits.
uint CountHere(ArrayCount array, uint2 count, uint here) {
  const uint low = count.x - array.done_low;
  const uint high = count.y - array.done_high - (count.x < array.done_low ? 1u : 0u);
  if (high >= 0x80000000u) {  // it ended in a dispatch before
    return 0;
  }
  return high != 0 ? here : min(low, here);
}

#endif  // __cplusplus

#endif  // CROSSLANE_ARRAY_COUNT_HLSLI
