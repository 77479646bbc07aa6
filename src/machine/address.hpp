// From a lane's pointer to the memory it points at.
#pragma once

#include <algorithm>

#include "machine/group.hpp"
#include "machine/memory.hpp"

namespace crosslane::machine {

inline std::byte* locate_in(const Root& root, std::uint64_t offset, std::uint64_t bytes) {
  return offset + bytes <= root.bytes ? root.data + offset : nullptr;
}

/// The place that lane `lane` of an instruction's pointer means, `component_offset` bytes further on; null where any of
/// the `bytes` there is outside.
template <AddressMode mode>
std::byte* locate(const Wave& wave, const Operation& op, std::uint32_t lane, std::uint64_t component_offset,
                  std::uint64_t bytes) {
  const std::uint64_t further = op.imm + component_offset;
  if constexpr (mode == AddressMode::rooted) {
    const std::uint64_t offset = op.a == no_register ? 0 : wave.row<std::uint32_t>(op.a)[lane];
    return locate_in(wave.roots[op.aux], offset + further, bytes);
  } else {
    const std::uint64_t pointer = wave.row<std::uint64_t>(op.a)[lane];
    if constexpr (mode == AddressMode::fat) {
      const std::uint64_t root = pointer >> 32U;
      const auto& roots = wave.group->roots;
      return root == 0 || root > roots.size() ? nullptr
                                              : locate_in(roots[root - 1], (pointer & 0xFFFFFFFFU) + further, bytes);
    } else {
      const auto& ranges = *wave.group->addresses;
      const std::uint64_t address = pointer + further;
      const auto after = std::ranges::upper_bound(ranges, address, {}, &AddressRange::first);
      if (after == ranges.begin()) {
        return nullptr;
      }
      const auto& range = *(after - 1);
      return locate_in({range.data, range.bytes}, address - range.first, bytes);
    }
  }
}

}  // namespace crosslane::machine
