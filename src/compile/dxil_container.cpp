#include "compile/dxil_container.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace crosslane::compile {
namespace {

// The container's header: "DXBC", checksum, version, its size, number of parts; then the offset of each part.
constexpr std::size_t checksum_offset = 4;
constexpr std::size_t checksum_size = 16;
constexpr std::size_t part_count_offset = 28;
constexpr std::size_t part_table_offset = 32;
// A part: four characters, its size, its bytes.
constexpr std::size_t part_header_size = 8;

// PSV0 begins with the size of its runtime information. That begins with 16 bytes which depend on the stage, followed
// by the smallest and the largest number of lanes that a wave may have.
constexpr std::size_t runtime_info_offset = 4;
constexpr std::size_t smallest_wave_offset = runtime_info_offset + 16;
constexpr std::size_t largest_wave_offset = smallest_wave_offset + 4;

/// A little-endian word; nothing past the end.
std::optional<std::uint32_t> word_at(std::span<const std::byte> bytes, std::size_t offset) {
  if (bytes.size() < 4 || offset > bytes.size() - 4) {
    return std::nullopt;
  }
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    word |= std::to_integer<std::uint32_t>(bytes[offset + i]) << (8 * i);
  }
  return word;
}

bool begins_with(std::span<const std::byte> bytes, std::size_t offset, std::string_view name) {
  return offset <= bytes.size() && bytes.size() - offset >= name.size() &&
         std::equal(name.begin(), name.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                    [](char expected, std::byte found) { return static_cast<std::byte>(expected) == found; });
}

}  // namespace

std::optional<std::span<const std::byte>> dxil_part(std::span<const std::byte> container, std::string_view name) {
  const auto count = word_at(container, part_count_offset);
  if (!begins_with(container, 0, "DXBC") || !count) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < *count; ++i) {
    const auto offset = word_at(container, part_table_offset + 4 * i);
    if (!offset) {
      return std::nullopt;
    }
    const auto size = word_at(container, std::size_t{*offset} + 4);
    if (size && begins_with(container, *offset, name) &&
        container.size() - *offset - part_header_size >= std::size_t{*size}) {
      return container.subspan(*offset + part_header_size, *size);
    }
  }
  return std::nullopt;
}

bool dxil_checksum_is_zero(std::span<const std::byte> container) {
  if (container.size() < checksum_offset + checksum_size) {
    return false;
  }
  return std::ranges::all_of(container.subspan(checksum_offset, checksum_size),
                             [](std::byte byte) { return byte == std::byte{0}; });
}

std::optional<WaveSizeAttribute> dxil_wave_size(std::span<const std::byte> container) {
  const auto part = dxil_part(container, "PSV0");
  if (!part) {
    return std::nullopt;
  }
  const auto smallest = word_at(*part, smallest_wave_offset);
  const auto largest = word_at(*part, largest_wave_offset);
  // Without the attribute every wave size is right: from 0 to the largest number there is.
  if (!smallest || !largest || (*smallest == 0 && *largest == std::numeric_limits<std::uint32_t>::max())) {
    return std::nullopt;
  }
  return WaveSizeAttribute{*smallest, *largest};
}

}  // namespace crosslane::compile
