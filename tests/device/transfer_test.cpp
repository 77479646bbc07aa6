#include <algorithm>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::device;
using test::fails;
using test::must;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

std::vector<std::byte> pattern(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> result(bytes);
  auto state = seed;
  for (auto& byte : result) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::byte>(state >> 24U);
  }
  return result;
}

struct Range {
  std::uint64_t offset;
  std::uint64_t bytes;
};

// Uploads into the middle of known bytes; what lies around must stay.
void check_round_trip(std::uint64_t buffer_bytes, Range range, MemoryKind memory) {
  SCOPED_TRACE(testing::Message() << range.bytes << " bytes at " << range.offset << " of " << buffer_bytes);
  const auto buffer = must(device().create_buffer({buffer_bytes, memory}));
  auto expected = pattern(buffer_bytes, 1);
  must(upload(device(), *buffer, expected));
  const auto part = pattern(range.bytes, 2);
  must(upload(device(), *buffer, part, range.offset));
  std::ranges::copy(part, expected.begin() + static_cast<std::ptrdiff_t>(range.offset));

  std::vector<std::byte> whole(buffer_bytes);
  must(download(device(), *buffer, whole));
  EXPECT_TRUE(whole == expected);
  std::vector<std::byte> again(range.bytes);
  must(download(device(), *buffer, again, range.offset));
  EXPECT_TRUE(again == part);
}

TEST(Transfer, AnyRangeOfASmallBuffer) {
  for (const std::uint64_t buffer_bytes : {1U, 2U, 4U, 5U, 11U}) {
    for (std::uint64_t offset = 0; offset <= buffer_bytes; ++offset) {
      for (std::uint64_t bytes = 0; bytes <= buffer_bytes - offset; ++bytes) {
        check_round_trip(buffer_bytes, {offset, bytes}, MemoryKind::device);
      }
    }
  }
}

TEST(Transfer, MappedBuffers) {
  for (const auto memory : {MemoryKind::upload, MemoryKind::readback}) {
    check_round_trip(100, {3, 50}, memory);
    check_round_trip(100, {0, 100}, memory);
  }
}

TEST(Transfer, MoreThanTheStagingMemory) {
  check_round_trip(70 * mebibyte + 3, {0, 70 * mebibyte + 3}, MemoryKind::device);
  check_round_trip(70 * mebibyte, {5, 64 * mebibyte}, MemoryKind::device);
  check_round_trip(40 * mebibyte, {4, 32 * mebibyte}, MemoryKind::device);
  check_round_trip(40 * mebibyte, {7, 32 * mebibyte + 1}, MemoryKind::device);
}

TEST(Transfer, RefusesRangesOutsideTheBuffer) {
  const auto buffer = must(device().create_buffer({100}));
  std::vector<std::byte> bytes(50);
  EXPECT_TRUE(fails(upload(device(), *buffer, bytes, 51), ErrorCode::invalid_argument, "50 bytes from byte 51"));
  EXPECT_TRUE(fails(download(device(), *buffer, bytes, 51), ErrorCode::invalid_argument, "buffer of 100 bytes"));
  EXPECT_TRUE(fails(upload(device(), *buffer, {}, 101), ErrorCode::invalid_argument, "outside"));
  EXPECT_TRUE(fails(download(device(), *buffer, bytes, ~std::uint64_t{0}), ErrorCode::invalid_argument, "outside"));
  must(upload(device(), *buffer, {}, 100));
}

}  // namespace
}  // namespace crosslane
