#include "algorithms/range.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/rounding.hpp"

namespace crosslane {

std::uint64_t binding_step(const DeviceLimits& limits) { return std::lcm(limits.binding_alignment, vector_bytes); }

std::uint64_t binding_capacity(const DeviceLimits& limits) {
  constexpr std::uint64_t countable = std::uint64_t{1} << 32U;
  return round_down(std::min(limits.binding_bytes, countable), binding_step(limits));
}

Expected<void> check_range(const Buffer& buffer, std::uint64_t offset, std::uint64_t count, std::uint64_t element_bytes,
                           std::string_view what) {
  if (offset % element_bytes != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("the {} offset {} is not a multiple of the element size {}", what, offset, element_bytes));
  }
  if (offset > buffer.bytes() || count > (buffer.bytes() - offset) / element_bytes) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the {} range of {} elements of {} bytes from byte {} on does not fit the buffer of {} bytes", what,
                    count, element_bytes, offset, buffer.bytes()));
  }
  return {};
}

Expected<void> check_element_bytes(std::uint32_t bytes, std::string_view done) {
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("elements of {} bytes cannot be {}: only those of 4, 8 or 16 bytes", bytes, done));
  }
  return {};
}

Binding bind_element(const DeviceLimits& limits, std::uint32_t slot, const BufferPlace& place, std::uint64_t bytes,
                     std::uint64_t element_bytes, std::uint32_t& element) {
  const std::uint64_t base = round_down(place.offset, binding_step(limits));
  element = narrow((place.offset - base) / element_bytes);
  return {slot, place.buffer, base, place.offset - base + bytes};
}

}  // namespace crosslane
