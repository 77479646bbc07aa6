// What the compiler makes of the library on SPIR-V: native shuffles, and no branch around them.
#include <gtest/gtest.h>
#include <map>
#include <span>

#include "kernels/kernel.hpp"

namespace crosslane::hlsl_tests {

std::span<const Kernel> kernels();

namespace {

enum Opcode : std::uint32_t {
  branch_conditional = 250,
  switch_on_value = 251,
  broadcast = 337,
  ballot = 339,
  shuffle = 345,
  shuffle_xor = 346,
  shuffle_up = 347,
  shuffle_down = 348,
};

/// How often each opcode occurs in a module.
std::map<std::uint32_t, int> count_opcodes(std::string_view kernel_name) {
  std::map<std::uint32_t, int> counts;
  const Kernel* kernel = find_kernel(kernels(), kernel_name);
  if (kernel == nullptr) {
    return counts;
  }
  constexpr std::size_t header_words = 5;
  for (std::size_t at = header_words; at < kernel->spirv.size(); at += kernel->spirv[at] >> 16U) {
    ++counts[kernel->spirv[at] & 0xFFFFU];
  }
  return counts;
}

TEST(Instructions, AreTheNativeShuffles) {
  auto counts = count_opcodes("straight.plain");
  EXPECT_EQ(counts[shuffle], 6);  // up, down, any lane twice, rotate, broadcast
  EXPECT_EQ(counts[shuffle_xor], 1);
  EXPECT_EQ(counts[shuffle_up], 1);
  EXPECT_EQ(counts[shuffle_down], 1);
  EXPECT_EQ(counts[broadcast], 0);
  EXPECT_EQ(counts[ballot], 0);
}

TEST(Instructions, OfTheCheckedFormAreIndexShufflesAndBallots) {
  auto counts = count_opcodes("straight.checked");
  EXPECT_EQ(counts[shuffle], 9);
  EXPECT_GT(counts[ballot], 0);
}

TEST(Instructions, NeverBranch) {
  for (const std::string_view kernel : {"straight.plain", "straight.checked"}) {
    auto counts = count_opcodes(kernel);
    EXPECT_GT(counts[shuffle], 0) << kernel;
    EXPECT_EQ(counts[branch_conditional], 0) << kernel;
    EXPECT_EQ(counts[switch_on_value], 0) << kernel;
  }
}

/// The costs that the headers of the wave level name, for 8 values or clusters of 8 lanes.
TEST(Instructions, OfBuildingBlocksAreAsManyAsDocumented) {
  auto counts = count_opcodes("costs.transpose");
  EXPECT_EQ(counts[shuffle_xor], 7);
  EXPECT_EQ(counts[shuffle], 0);
  for (const std::string_view kernel : {"costs.block", "costs.stripe"}) {
    counts = count_opcodes(kernel);
    EXPECT_EQ(counts[shuffle], 8) << kernel;
    EXPECT_EQ(counts[branch_conditional], 2) << kernel;  // waves of 2 and of 4 lanes
  }
  counts = count_opcodes("costs.compact");
  EXPECT_EQ(counts[shuffle], 1);
  EXPECT_EQ(counts[ballot], 1);
  counts = count_opcodes("costs.reduce");
  EXPECT_EQ(counts[shuffle_xor], 3);
  EXPECT_EQ(counts[shuffle], 0);
  counts = count_opcodes("costs.scan");
  EXPECT_EQ(counts[shuffle_up], 4);
  EXPECT_EQ(counts[shuffle], 1);
}

TEST(Instructions, OfTransposesAndCompactionDoNotBranch) {
  for (const std::string_view kernel : {"costs.transpose", "costs.compact"}) {
    auto counts = count_opcodes(kernel);
    EXPECT_GT(counts[shuffle] + counts[shuffle_xor], 0) << kernel;
    EXPECT_EQ(counts[branch_conditional], 0) << kernel;
  }
}

}  // namespace
}  // namespace crosslane::hlsl_tests
