#include "cli/array_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/progress.hpp"

namespace crosslane::cli {
namespace {

// Big enough that reading and uploading run at full speed, small enough not to count.
constexpr std::uint64_t piece_bytes = std::uint64_t{16} << 20U;

// Calls `move` with a piece of memory for each part of `bytes` bytes, and where the part begins.
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

}  // namespace

Expected<std::unique_ptr<Buffer>> load_array(Device& device, NpyFile& file, const Console& console,
                                             const PieceObserver& observe) {
  const std::uint64_t bytes = file.header().data_bytes();
  if (bytes > device.info().limits.buffer_bytes) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("{}: its {} bytes are more than the {} that one buffer of {} holds: split the array, or choose "
                    "another device with --device",
                    file.name(), bytes, device.info().limits.buffer_bytes, device.info().name));
  }
  Expected<std::unique_ptr<Buffer>> buffer =
      device.create_buffer({.bytes = std::max<std::uint64_t>(bytes, size_of(file.header().type))});
  if (!buffer) {
    return fail_because(fmt::format("{}: no room on {} for its {} bytes", file.name(), device.info().name, bytes),
                        std::move(buffer.error()));
  }
  Progress progress(console, "reading " + file.name(), bytes);
  return in_pieces(bytes, progress,
                   [&](std::span<std::byte> piece, std::uint64_t offset) {
                     return file.read(piece).and_then([&] {
                       if (observe) {
                         observe(piece);
                       }
                       return upload(device, **buffer, piece, offset);
                     });
                   })
      .map([&] { return *std::move(buffer); });
}

Expected<void> store_array(Device& device, Buffer& buffer, std::uint64_t bytes, PendingNpy& file,
                           const Console& console) {
  Progress progress(console, "writing " + file.path().string(), bytes);
  return in_pieces(bytes, progress, [&](std::span<std::byte> piece, std::uint64_t offset) {
    return download(device, buffer, piece, offset).and_then([&] { return file.append(piece); });
  });
}

}  // namespace crosslane::cli
