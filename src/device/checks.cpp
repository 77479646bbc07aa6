#include "device/checks.hpp"

#include <fmt/format.h>

namespace crosslane {
namespace {

constexpr std::uint64_t word_bytes = 4;

Expected<void> check_words(std::string_view what, std::string_view which, std::uint64_t value) {
  if (value % word_bytes != 0) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {} {} is not a multiple of 4.", what, which, value));
  }
  return {};
}

}  // namespace

Expected<void> check_range(std::string_view what, std::uint64_t buffer_bytes, std::uint64_t offset,
                           std::uint64_t bytes) {
  if (!lies_inside(buffer_bytes, offset, bytes)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} bytes from byte {} on lie outside the buffer of {} bytes.", what, bytes, offset,
                            buffer_bytes));
  }
  return {};
}

Expected<void> check_word_range(std::string_view what, std::uint64_t buffer_bytes, std::uint64_t offset,
                                std::uint64_t bytes) {
  auto checked = check_words(what, "offset", offset);
  checked = checked ? check_words(what, "size", bytes) : checked;
  return checked ? check_range(what, buffer_bytes, offset, bytes) : checked;
}

Expected<void> check_overlap(bool same_buffer, std::uint64_t source_offset, std::uint64_t destination_offset,
                             std::uint64_t bytes) {
  const auto distance =
      source_offset > destination_offset ? source_offset - destination_offset : destination_offset - source_offset;
  if (same_buffer && distance < bytes) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("Copying {} bytes from byte {} to byte {} of one buffer: the ranges overlap.", bytes,
                            source_offset, destination_offset));
  }
  return {};
}

Expected<void> check_groups(const DeviceInfo& device, std::string_view shader, GroupCount groups) {
  for (std::size_t dimension = 0; dimension < groups.size(); ++dimension) {
    const auto most = device.limits.groups.at(dimension);
    if (groups.at(dimension) > most) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("Shader \"{}\": {} thread groups in dimension {} are more than the {} that {} allows.",
                              shader, groups.at(dimension), dimension, most, label(device)));
    }
  }
  return {};
}

Expected<void> check_constants(std::string_view shader, std::size_t needed, std::size_t given) {
  constexpr std::size_t most_padding = 15;
  const auto most = needed == 0 ? 0 : needed + most_padding;
  if (given < needed || given > most) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("Shader \"{}\" takes {} bytes of constants, but {} were given.", shader, needed, given));
  }
  return {};
}

std::string label(const DeviceInfo& info) { return fmt::format("{} ({})", info.id, info.name); }

}  // namespace crosslane
