// Long arrays in pieces of bounded size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cli/progress.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

/// Big enough that reading and uploading run at full speed, small enough not to count.
inline constexpr std::uint64_t piece_bytes = std::uint64_t{16} << 20U;

/// Calls `move` with a piece of memory for each part of `bytes` bytes, and where the part begins. Errors: those of
/// `move`, after which there are no further parts.
template <typename Move>
Expected<void> in_pieces(std::uint64_t bytes, Progress& progress, const Move& move) {
  std::vector<std::byte> memory(std::min(bytes, piece_bytes));
  for (std::uint64_t offset = 0; offset < bytes; offset += memory.size()) {
    const auto piece = std::span(memory).first(std::min<std::uint64_t>(memory.size(), bytes - offset));
    if (Expected<void> moved = move(piece, offset); !moved) {
      return moved;
    }
    progress.advance(piece.size());
  }
  return {};
}

}  // namespace crosslane::cli
