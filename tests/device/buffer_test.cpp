#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::device;
using test::fails;
using test::must;

TEST(Buffer, KeepsTheSizeThatWasAskedFor) {
  for (const std::uint64_t bytes : {1U, 3U, 4U, 17U, 4096U, 1000001U}) {
    for (const auto memory : {MemoryKind::device, MemoryKind::upload, MemoryKind::readback}) {
      const auto buffer = must(device().create_buffer({bytes, memory}));
      EXPECT_EQ(buffer->bytes(), bytes);
      EXPECT_EQ(buffer->host().size(), memory == MemoryKind::device ? 0 : bytes);
    }
  }
}

TEST(Buffer, MappedMemoryHoldsWhatIsWritten) {
  const auto buffer = must(device().create_buffer({256, MemoryKind::upload}));
  std::ranges::fill(buffer->host(), std::byte{0x5A});
  EXPECT_TRUE(std::ranges::all_of(buffer->host(), [](std::byte byte) { return byte == std::byte{0x5A}; }));
}

TEST(Buffer, RefusesZeroBytes) {
  EXPECT_TRUE(fails(device().create_buffer({0}), ErrorCode::invalid_argument, "0 bytes"));
}

TEST(Buffer, RefusesMoreThanTheDevicesLimitAndNamesBothNumbers) {
  const auto most = device().info().limits.buffer_bytes;
  const auto result = device().create_buffer({most + 1});
  EXPECT_TRUE(fails(result, ErrorCode::invalid_argument, std::to_string(most + 1)));
  EXPECT_TRUE(fails(result, ErrorCode::invalid_argument, std::to_string(most) + " at most"));
  EXPECT_TRUE(fails(device().create_buffer({~std::uint64_t{0}}), ErrorCode::invalid_argument, "at most"));
}

TEST(Buffer, TakesTheDevicesLimit) {
  // Memory that nobody touches costs nothing here; a device may be out of it all the same, which is an Error then.
  const auto result = device().create_buffer({device().info().limits.buffer_bytes});
  if (!result) {
    EXPECT_TRUE(fails(result, ErrorCode::device, "OutOf"));
  }
}

TEST(Buffer, OutlivesNothingItNeeds) {
  std::unique_ptr<Buffer> buffer;
  {
    auto own_instance = must(vulkan::create_instance());
    auto own_device = must(own_instance->open(0));
    buffer = must(own_device->create_buffer({64, MemoryKind::upload}));
  }
  std::ranges::fill(buffer->host(), std::byte{1});  // the device is still there
  EXPECT_EQ(buffer->bytes(), 64U);
}

}  // namespace
}  // namespace crosslane
