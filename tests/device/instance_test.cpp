#include <algorithm>
#include <bit>
#include <cctype>

#include <gtest/gtest.h>

#include "device/gather.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::device;
using test::fails;
using test::must;

TEST(Instance, DescribesItsDevices) {
  const auto& devices = test::instance().devices();
  ASSERT_FALSE(devices.empty());
  for (std::size_t index = 0; index < devices.size(); ++index) {
    const auto& info = devices[index];
    SCOPED_TRACE(info.name);
    EXPECT_EQ(info.id, "vulkan:" + std::to_string(index));
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.vendor.empty());
    EXPECT_FALSE(info.driver.empty());
    EXPECT_FALSE(info.driver_version.empty());
    EXPECT_EQ(info.api_version.substr(0, 2), "1.");
    EXPECT_EQ(info.uuid.size(), 32U);
    EXPECT_TRUE(std::ranges::all_of(info.uuid, [](unsigned char digit) { return std::isxdigit(digit) != 0; }));
    const auto& waves = info.wave_sizes;
    for (const auto lanes : {waves.minimum, waves.standard, waves.maximum}) {
      EXPECT_TRUE(std::has_single_bit(lanes)) << lanes;
    }
    EXPECT_LE(waves.minimum, waves.standard);
    EXPECT_LE(waves.standard, waves.maximum);
    // What Vulkan guarantees.
    EXPECT_GE(info.limits.binding_bytes, std::uint64_t{1} << 27U);
    EXPECT_GE(info.limits.buffer_bytes, info.limits.binding_bytes);
    EXPECT_EQ(info.limits.binding_bytes % info.limits.binding_alignment, 0U);
    EXPECT_GE(info.limits.constants_bytes, 128U);
    EXPECT_GE(info.limits.group_threads, 128U);
    EXPECT_GE(info.limits.groupshared_bytes, 16384U);
    EXPECT_TRUE(std::has_single_bit(info.limits.binding_alignment));
    EXPECT_GE(*std::ranges::min_element(info.limits.groups), 65535U);
  }
}

TEST(Instance, TheOpenedDeviceSaysTheSame) {
  const auto& listed = test::instance().devices()[0];
  EXPECT_EQ(device().info().uuid, listed.uuid);
  EXPECT_EQ(device().info().id, "vulkan:0");
  EXPECT_EQ(device().info().wave_sizes.standard, listed.wave_sizes.standard);
}

TEST(Instance, IdentitiesStayTheSame) {
  const auto another = must(vulkan::create_instance());
  EXPECT_EQ(another->devices()[0].uuid, device().info().uuid);
}

TEST(Instance, RefusesToOpenWhatIsNotThere) {
  const auto count = test::instance().devices().size();
  EXPECT_TRUE(fails(test::instance().open(count), ErrorCode::invalid_argument, "vulkan:" + std::to_string(count)));
}

TEST(Instance, ValidatesWhereAskedTo) {
  EXPECT_TRUE(test::instance().validating());  // the layer is among what the tests need
  const auto plain = must(vulkan::create_instance());
  EXPECT_FALSE(plain->validating());
  EXPECT_TRUE(plain->validation_messages().empty());
}

TEST(Gather, FindsTheSameDevicesAndOpensThem) {
  const auto list = gather_devices();
  EXPECT_TRUE(list.failures().empty());
  ASSERT_EQ(list.devices().size(), test::instance().devices().size() + 1);
  EXPECT_EQ(list.devices().back().id, "machine");
  EXPECT_EQ(list.devices()[0].uuid, device().info().uuid);
  const auto opened = must(list.open(must(list.choose("vulkan:0"))));
  EXPECT_EQ(opened->info().uuid, device().info().uuid);
}

}  // namespace
}  // namespace crosslane
