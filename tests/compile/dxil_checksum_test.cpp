// Checksums against those that libvkd3d-shader 2.1 (vkd3d_shader_serialize_dxbc) gave the same containers.
#include "compile/dxil_checksum.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace crosslane::compile {
namespace {

using Bytes = std::vector<std::byte>;

void put_word(Bytes& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::byte>(value >> shift));
  }
}

/// A container with one part of `size` bytes: 1, 8, 15, …
Bytes container(std::uint32_t size) {
  constexpr std::uint32_t dxbc = 0x43425844;
  constexpr std::uint32_t dxil = 0x4C495844;
  constexpr std::uint32_t header = 36;
  Bytes bytes;
  for (const std::uint32_t word : {dxbc, 0U, 0U, 0U, 0U, 1U, header + 8 + size, 1U, header, dxil, size}) {
    put_word(bytes, word);
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    bytes.push_back(static_cast<std::byte>(7 * i + 1));
  }
  return bytes;
}

std::string text(const DxilChecksum& checksum) {
  std::string digits;
  for (const std::byte byte : checksum) {
    digits += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  }
  return digits;
}

TEST(DxilChecksum, IsThatOfVkd3dAtEverySizeOfTheLastBlock) {
  const std::vector<std::string> expected = {
      "e9c5bc26c69608d7015d4d7f7b7b58fc", "11e7d533506314969e91dd893159d3fb", "ed7e68c1306ebf5c9578952c9d518553",
      "1b6dd0cfe785f7e2ba3dfc4d669d214e", "7dcd3717f93c5cc5aa5377219d44d96b", "68712c17b3ac4a8641a353347b395bcb",
      "cca76985310d028b44d4266eebe591c7", "6e1e7750f435b470c1f27c67f16e9912", "e51ff59e62f640bf779e7d2bdf1266f5",
      "6be387e5429eac74d00f2cf4d544a3ab", "66d548d6236aa33d4f1f8d7225d5782f", "688885288f7e7e2b22650b7b9be7224e",
      "5fbf33cf1829d7381d83100c26ade200", "051a56e39ee70ac2f752ceb5e30d3574", "91e21202c739a4d1dcfea3d620878517",
      "b318b81f62c62b482dfdef2430d14633", "c8094f7a97c995fe527215386f3bb807"};
  for (std::uint32_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(text(dxil_checksum(container(4 * i))), expected[i]) << 4 * i << " bytes";
  }
}

TEST(DxilChecksum, IsWrittenInItsPlaceAndCountsNothingOfIt) {
  Bytes bytes = container(24);
  const DxilChecksum checksum = dxil_checksum(bytes);
  EXPECT_EQ(stored_dxil_checksum(bytes), DxilChecksum{});
  write_dxil_checksum(bytes);
  EXPECT_EQ(stored_dxil_checksum(bytes), checksum);
  EXPECT_EQ(dxil_checksum(bytes), checksum);
  Bytes without = bytes;
  std::fill_n(without.begin() + 4, checksum.size(), std::byte{0});
  EXPECT_EQ(without, container(24));
}

TEST(DxilChecksum, LeavesAloneWhatIsNoContainer) {
  for (std::size_t size = 0; size < 20; ++size) {
    Bytes bytes(size, std::byte{3});
    write_dxil_checksum(bytes);
    EXPECT_EQ(bytes, Bytes(size, std::byte{3}));
    EXPECT_EQ(stored_dxil_checksum(bytes), DxilChecksum{});
  }
}

}  // namespace
}  // namespace crosslane::compile
