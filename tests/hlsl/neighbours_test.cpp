// Neighbours in a row that goes on beyond the wave: every lane sees what lies so far away from its own place.
#include <gtest/gtest.h>

#include "hlsl/run_kernel.hpp"

namespace crosslane::hlsl_tests {
namespace {

TEST(Neighbours, AreFoundBeyondTheEndsOfTheWave) {
  constexpr std::uint32_t threads = 128;  // of kernels/neighbours.hlsl
  for (std::uint32_t reach = 0; reach <= wave_size() / 2; reach = reach == 0 ? 1 : 2 * reach) {
    const std::uint32_t distances = 2 * reach + 1;
    std::vector<Array> arrays = {Array::results(std::size_t{threads} * 2),
                                 Array::results(std::size_t{threads} * 2 * distances)};
    run_kernel("neighbours", arrays, {reach});
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const std::size_t placement = std::size_t{thread} * 2;
      ASSERT_EQ(arrays[0].words[placement + 1], wave_size());
      for (std::uint32_t i = 0; i < distances; ++i) {
        const std::uint32_t place = 500 + arrays[0].words[placement] + i - reach;
        const std::size_t at = std::size_t{thread * distances + i} * 2;
        ASSERT_EQ(arrays[1].words[at], place) << "reach " << reach << ", thread " << thread << ", distance " << i;
        ASSERT_EQ(arrays[1].words[at + 1], 1000 + place);
      }
    }
  }
}

}  // namespace
}  // namespace crosslane::hlsl_tests
