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

struct HashFillParams {
  uint first_number;  // what the binding's first word is the hash of
  uint count;         // words
  uint groups;
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_MEASURE_HASH_HLSLI
