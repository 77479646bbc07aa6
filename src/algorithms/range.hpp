// Ranges of buffers: what one binding can show of them, and whether they are there.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "crosslane/device.hpp"

namespace crosslane {

/// Kernels read and write vectors of so many bytes.
inline constexpr std::uint64_t vector_bytes = 16;

constexpr std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// Where bindings may begin so that the vector view is aligned too.
std::uint64_t binding_step(const DeviceLimits& limits);

/// Bytes that one binding may show. Kernels count elements and vectors in 32 bits, so no more than 4 GiB in any case.
std::uint64_t binding_capacity(const DeviceLimits& limits);

/// Errors: `invalid_argument` where `offset` is no multiple of `element_bytes`, or `count` elements from there on do
/// not fit the buffer; `what` names the range in messages.
Expected<void> check_range(const Buffer& buffer, std::uint64_t offset, std::uint64_t count, std::uint64_t element_bytes,
                           std::string_view what);

/// Errors: `invalid_argument` for elements of other than 4, 8 or 16 bytes, which cannot be `done`, as "scanned".
Expected<void> check_element_bytes(std::uint32_t bytes, std::string_view done);

/// Shows `bytes` bytes from `place` on to binding `slot`, which may begin a little before: `element` becomes the number
/// in the binding of the element there.
Binding bind_element(const DeviceLimits& limits, std::uint32_t slot, const BufferPlace& place, std::uint64_t bytes,
                     std::uint64_t element_bytes, std::uint32_t& element);

/// Whether two ranges of one buffer have a byte in common.
constexpr bool overlaps(std::uint64_t offset_a, std::uint64_t bytes_a, std::uint64_t offset_b, std::uint64_t bytes_b) {
  return bytes_a != 0 && bytes_b != 0 && offset_a < offset_b + bytes_b && offset_b < offset_a + bytes_a;
}

/// The bytes of a kernel's parameters.
template <typename Params>
std::span<const std::byte> bytes_of(const Params& params) {
  return std::as_bytes(std::span(&params, 1));
}

}  // namespace crosslane
