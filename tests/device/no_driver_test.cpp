// A program on a machine with Vulkan's loader and no driver.
#include <cstdlib>

#include <gtest/gtest.h>

#include "crosslane/vulkan.hpp"
#include "device/gather.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::fails;

class NoDriver : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    // The loader reads these when an instance is made; newer ones know the first name, older ones the second.
    setenv("VK_DRIVER_FILES", "/nowhere/driver.json", 1);   // NOLINT(concurrency-mt-unsafe): one thread
    setenv("VK_ICD_FILENAMES", "/nowhere/driver.json", 1);  // NOLINT(concurrency-mt-unsafe): one thread
  }
};

TEST_F(NoDriver, SaysWhatToInstall) {
  const auto instance = vulkan::create_instance({.validation = true});
  EXPECT_TRUE(fails(instance, ErrorCode::device, "apt install mesa-vulkan-drivers"));
  EXPECT_TRUE(fails(instance, ErrorCode::device, "ErrorIncompatibleDriver"));
}

TEST_F(NoDriver, LeavesTheWaveMachine) {
  const auto list = gather_devices();
  ASSERT_EQ(list.devices().size(), 1U);
  EXPECT_EQ(list.devices()[test::must(list.choose())].id, "machine");
  ASSERT_EQ(list.failures().size(), 1U);
  EXPECT_EQ(list.failures()[0].code, ErrorCode::device);
  const auto gpu = list.choose("vulkan:0");
  ASSERT_TRUE(fails(gpu, ErrorCode::invalid_argument, "no device \"vulkan:0\""));
  EXPECT_EQ(gpu.error().reasons.front(), list.failures()[0].message) << "why there is none";
}

}  // namespace
}  // namespace crosslane
