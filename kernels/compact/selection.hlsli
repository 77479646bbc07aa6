// Which elements a compaction keeps. A variant defines one of
//   SELECT_FLAGS    those whose flag is not 0
//   SELECT_RANGE    those whose bits, made into a number that orders as the values do, lie in a range
//   SELECT_FUNCTOR  those that FUNCTOR, a struct in FUNCTOR_FILE, keeps:
//                     static bool keep(STORAGE bits, uint index, uint4 low, uint4 high)
//                   bits: the element as it lies in memory, a uint, uint2 or uint4; index: its place in the array;
//                   low, high: constants of the program's own
// and STORAGE_BYTES, the size of an element: 4, 8 or 16.
#ifndef CROSSLANE_KERNELS_COMPACT_SELECTION_HLSLI
#define CROSSLANE_KERNELS_COMPACT_SELECTION_HLSLI

#if STORAGE_BYTES == 4
typedef uint STORAGE;
STORAGE ElementIn(uint4 bits, uint i) { return bits[i]; }
#elif STORAGE_BYTES == 8
typedef uint2 STORAGE;
STORAGE ElementIn(uint4 bits, uint i) { return i == 0 ? bits.xy : bits.zw; }
#elif STORAGE_BYTES == 16
typedef uint4 STORAGE;
STORAGE ElementIn(uint4 bits, uint i) { return bits; }
#endif

#if defined(SELECT_RANGE)
// low: the least number, then how many more there are, 64 bits each; high: what numbers are made with, and whether those
// outside of the range are kept in their stead.
bool Keep(STORAGE bits, uint index) {
  const uint4 range = params.selection_low;
  const uint4 order = params.selection_high;
#if STORAGE_BYTES == 4
  const uint key = bits ^ (int(bits) < 0 ? order.y : order.x);
  return key - range.x <= range.z;
#else
  const bool negative = int(bits.y) < 0;
  const uint2 key = bits ^ uint2(negative ? order.z : 0u, negative ? order.y : order.x);
  return IsAtMostWide(SubtractWide(key, range.xy), range.zw);
#endif
}
// Whether those are kept for which Keep does not hold.
bool KeepsTheOthers() { return params.selection_high.w != 0; }
#elif defined(SELECT_FUNCTOR)
#include FUNCTOR_FILE
bool Keep(STORAGE bits, uint index) { return FUNCTOR::keep(bits, index, params.selection_low, params.selection_high); }
bool KeepsTheOthers() { return false; }
#endif

#endif  // CROSSLANE_KERNELS_COMPACT_SELECTION_HLSLI
