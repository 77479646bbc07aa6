// Containers made by hand, whole and damaged; those of a compiler are in compiler_test.cpp.
#include "compile/dxil_container.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compile/test_support.hpp"

namespace crosslane::compile {
namespace {

std::vector<std::byte> bytes_of_text(const std::string& text) {
  std::vector<std::byte> bytes;
  for (const char character : text) {
    bytes.push_back(static_cast<std::byte>(character));
  }
  return bytes;
}

std::string word(std::uint32_t value) {
  std::string text;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    text.push_back(static_cast<char>((value >> shift) & 0xFFU));
  }
  return text;
}

std::string part(const std::string& name, const std::string& content) {
  return name + word(static_cast<std::uint32_t>(content.size())) + content;
}

std::vector<std::byte> container(const std::vector<std::string>& parts,
                                 const std::string& checksum = std::string(16, 'c')) {
  std::string table;
  std::string body;
  const std::size_t header = 32 + 4 * parts.size();
  for (const std::string& each : parts) {
    table += word(static_cast<std::uint32_t>(header + body.size()));
    body += each;
  }
  return bytes_of_text("DXBC" + checksum + word(1) + word(static_cast<std::uint32_t>(header + body.size())) +
                       word(static_cast<std::uint32_t>(parts.size())) + table + body);
}

std::string validation_part(std::uint32_t smallest, std::uint32_t largest) {
  return part("PSV0", word(24) + std::string(16, '\0') + word(smallest) + word(largest));
}

TEST(DxilContainer, FindsPartsByName) {
  const auto bytes = container({part("AAAA", "first"), part("BBBB", "second"), part("CCCC", "")});
  ASSERT_TRUE(dxil_part(bytes, "BBBB"));
  EXPECT_EQ(dxil_part(bytes, "BBBB")->size(), 6U);
  EXPECT_EQ(static_cast<char>(dxil_part(bytes, "AAAA")->front()), 'f');
  ASSERT_TRUE(dxil_part(bytes, "CCCC"));
  EXPECT_TRUE(dxil_part(bytes, "CCCC")->empty());
  EXPECT_FALSE(dxil_part(bytes, "DDDD"));
}

TEST(DxilContainer, SeesWhetherTheChecksumIsZero) {
  EXPECT_TRUE(dxil_checksum_is_zero(container({}, std::string(16, '\0'))));
  std::string last(16, '\0');
  last.back() = '\1';
  EXPECT_FALSE(dxil_checksum_is_zero(container({}, last)));
  EXPECT_FALSE(dxil_checksum_is_zero({}));
}

TEST(DxilContainer, ReadsTheWaveSize) {
  const auto size = dxil_wave_size(container({part("AAAA", ""), validation_part(8, 64)}));
  ASSERT_TRUE(size);
  EXPECT_EQ(size->minimum, 8U);
  EXPECT_EQ(size->maximum, 64U);
  EXPECT_FALSE(dxil_wave_size(container({validation_part(0, 0xFFFFFFFFU)})));
  EXPECT_FALSE(dxil_wave_size(container({part("AAAA", "")})));
  EXPECT_FALSE(dxil_wave_size(container({part("PSV0", word(24))})));
}

TEST(DxilContainer, DamagedBytesHaveNoParts) {
  auto bytes = container({validation_part(8, 64)});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(dxil_wave_size(std::span(bytes).first(size))) << size;
  }
  // Offsets and sizes that point far outside.
  for (const std::size_t place : {std::size_t{28}, std::size_t{32}, std::size_t{40}}) {
    auto damaged = bytes;
    for (std::size_t i = 0; i < 4; ++i) {
      damaged.at(place + i) = std::byte{0xFF};
    }
    static_cast<void>(dxil_wave_size(damaged));
  }
  bytes.at(0) = std::byte{'X'};
  EXPECT_FALSE(dxil_part(bytes, "PSV0"));
}

TEST(DxilContainer, EveryCutOfARealContainerIsSurvived) {
  const auto result = test_compiler().compile(
      source_request(shader_of("values[thread] = 1;", "[WaveSize(64)]\n"), "cs_6_6", Target::dxil));
  ASSERT_TRUE(result) << text_of(result.error());
  ASSERT_TRUE(dxil_wave_size(result->binary));
  for (std::size_t size = 0; size < result->binary.size(); ++size) {
    static_cast<void>(dxil_wave_size(std::span(result->binary).first(size)));
  }
}

}  // namespace
}  // namespace crosslane::compile
