#include "algorithms/wave_size.hpp"

#include <array>
#include <memory>
#include <span>

#include <gtest/gtest.h>

#include "crosslane/machine.hpp"
#include "crosslane/scan.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::fails;
using test::must;

TEST(WaveSize, IsAPowerOfTwoThatTheDeviceHas) {
  DeviceInfo device;
  device.id = "a:0";
  device.name = "A";
  device.wave_sizes = {.minimum = 4, .maximum = 64, .standard = 32};
  for (const std::uint32_t lanes : {4U, 8U, 16U, 32U, 64U}) {
    EXPECT_TRUE(check_wave_size(device, lanes).has_value()) << lanes;
  }
  EXPECT_TRUE(check_wave_size(device, {}).has_value());
  for (const std::uint32_t lanes : {0U, 1U, 2U, 5U, 63U, 128U}) {
    EXPECT_TRUE(fails(check_wave_size(device, lanes), ErrorCode::unsupported,
                      "waves of " + std::to_string(lanes) + " lanes on a:0 (A): ask for a power of two from 4 to 64"));
  }
  device.wave_sizes = {.minimum = 32, .maximum = 32, .standard = 32};
  EXPECT_TRUE(fails(check_wave_size(device, 64), ErrorCode::unsupported, "ask for 32"));
}

TEST(WaveSize, OfTheWaveMachineMayBeNone) {
  const auto device = must(machine::create_device(3));
  const std::array<std::uint32_t, 3> values = {1, 2, 3};
  EXPECT_TRUE(fails(scan<std::uint32_t>(*device, values), ErrorCode::unsupported, "waves of 3 lanes on machine"));
  EXPECT_TRUE(scan<std::uint32_t>(*device, values, {.wave_size = 4}).has_value());
  EXPECT_TRUE(
      fails(scan<std::uint32_t>(*device, values, {.wave_size = 5}), ErrorCode::unsupported, "waves of 5 lanes"));
}

}  // namespace
}  // namespace crosslane
