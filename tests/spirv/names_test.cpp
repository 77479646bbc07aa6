#include "spirv/names.hpp"

#include <gtest/gtest.h>

namespace crosslane::spirv {
namespace {

TEST(Names, AreTheSpecificationsNames) {
  EXPECT_EQ(capability_name(65), "GroupNonUniformShuffle");
  EXPECT_EQ(capability_name(5297), "GroupNonUniformPartitionedNV");
  EXPECT_EQ(execution_mode_name(6023), "MaximallyReconvergesKHR");
  EXPECT_EQ(execution_model_name(5), "GLCompute");
}

TEST(Names, NumbersWithoutANameStayNumbers) {
  EXPECT_EQ(capability_name(99999), "99999");
  EXPECT_EQ(execution_mode_name(99999), "99999");
  EXPECT_EQ(execution_model_name(99999), "99999");
}

}  // namespace
}  // namespace crosslane::spirv
