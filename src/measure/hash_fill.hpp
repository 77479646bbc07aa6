// Test data made on the device: the host knows every word without a transfer.
#pragma once

#include <cstdint>

#include "crosslane/device.hpp"
#include "kernels/measure/hash.hlsli"

namespace crosslane::measure {

/// Word `i` of what fill_with_hashes(…, first, …) writes.
constexpr std::uint32_t hash_word(std::uint32_t first, std::uint64_t i) {
  return kernel_interface::hash_of(first + static_cast<std::uint32_t>(i));
}

/// Fills the first `words` 32-bit words of `buffer` with hash_word(first, 0), hash_word(first, 1), …; waits for it.
Expected<void> fill_with_hashes(Device& device, Buffer& buffer, std::uint64_t words, std::uint32_t first);

}  // namespace crosslane::measure
