// Test data that host and device can both make: a number's hash (PCG's output permutation, M. O'Neill 2014).
#ifndef CROSSLANE_MEASURE_HASH_HLSLI
#define CROSSLANE_MEASURE_HASH_HLSLI

#ifdef __cplusplus
#include <cstdint>
namespace crosslane::kernel_interface {
using uint = std::uint32_t;
#ifdef __CUDACC__
__host__ __device__
#endif
constexpr
#endif

// 32 well-mixed bits for each 32-bit number.
uint hash_of(uint number) {
  const uint state = number * 747796405u + 2891336453u;
  const uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

// What becomes of the hashes, so that elements of any type are ordinary numbers: at even and odd places (the low and the
// high word of 64-bit elements) these bits are kept of them, and those are set.
struct WordPattern {
  uint keep_even;
  uint set_even;
  uint keep_odd;
  uint set_odd;
};

#ifdef __CUDACC__
__host__ __device__
#endif
#ifdef __cplusplus
constexpr
#endif
uint apply_pattern(WordPattern pattern, uint place, uint hash) {
  return place % 2 == 0 ? (hash & pattern.keep_even) | pattern.set_even : (hash & pattern.keep_odd) | pattern.set_odd;
}

struct HashFillParams {
  WordPattern pattern;  // first: in constant buffers of Direct3D 12 structs begin at multiples of 16 bytes
  uint first_number;    // what the binding's first word is the hash of
  uint count;           // words
  uint groups;
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_MEASURE_HASH_HLSLI
