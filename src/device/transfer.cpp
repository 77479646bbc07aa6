#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "crosslane/device.hpp"

namespace crosslane {
namespace {

// Bounded, so that moving a large buffer does not take as much memory once more.
constexpr std::uint64_t staging_bytes = std::uint64_t{32} << 20U;
constexpr std::uint64_t word_bytes = 4;

/// Bytes of the device buffer that move at once. Copies take whole words, so the first and the last word of a range
/// may be shared with bytes that must stay as they are.
struct Piece {
  std::uint64_t first_word_byte = 0;  // where the copied words begin in the buffer
  std::uint64_t copied_bytes = 0;     // whole words
  std::uint64_t skip = 0;             // bytes of the first word before the range
  std::uint64_t bytes = 0;            // of the range
};

Piece next_piece(std::uint64_t offset, std::uint64_t bytes_left) {
  Piece piece;
  piece.skip = offset % word_bytes;
  piece.first_word_byte = offset - piece.skip;
  piece.bytes = std::min(bytes_left, staging_bytes - piece.skip);
  piece.copied_bytes = round_up(piece.skip + piece.bytes, word_bytes);
  return piece;
}

Expected<void> check_range(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, const char* what) {
  if (offset > buffer.bytes() || bytes > buffer.bytes() - offset) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} {} bytes from byte {} on: they lie outside the buffer of {} bytes.", what, bytes,
                            offset, buffer.bytes()));
  }
  return {};
}

Expected<std::unique_ptr<Buffer>> make_staging(Device& device, MemoryKind memory, std::uint64_t offset,
                                               std::uint64_t bytes) {
  return device.create_buffer({std::min(staging_bytes, round_up(offset % word_bytes + bytes, word_bytes)), memory});
}

struct Copy {
  Buffer* source = nullptr;
  std::uint64_t source_offset = 0;
  Buffer* destination = nullptr;
  std::uint64_t destination_offset = 0;
  std::uint64_t bytes = 0;
};

Expected<void> copy_and_wait(Device& device, std::span<const Copy> copies) {
  auto list = device.create_command_list();
  if (!list) {
    return tl::unexpected<Error>(std::move(list.error()));
  }
  for (const auto& copy : copies) {
    if (auto copied =
            (*list)->copy(*copy.source, copy.source_offset, *copy.destination, copy.destination_offset, copy.bytes);
        !copied) {
      return copied;
    }
  }
  return run(device, **list);
}

// Reads the first and the last word of a piece into `words`, which stand for the piece's words.
Expected<void> keep_edges(Device& device, Buffer& buffer, const Piece& piece, std::span<std::byte> words) {
  auto edges = device.create_buffer({2 * word_bytes, MemoryKind::readback});
  if (!edges) {
    return tl::unexpected<Error>(std::move(edges.error()));
  }
  const auto last_word = piece.copied_bytes - word_bytes;
  const std::array copies = {Copy{&buffer, piece.first_word_byte, edges->get(), 0, word_bytes},
                             Copy{&buffer, piece.first_word_byte + last_word, edges->get(), word_bytes, word_bytes}};
  if (auto copied = copy_and_wait(device, copies); !copied) {
    return copied;
  }
  const auto host = (*edges)->host();
  std::ranges::copy(host.first(word_bytes), words.begin());
  std::ranges::copy(host.last(word_bytes), words.subspan(last_word).begin());
  return {};
}

}  // namespace

Expected<void> upload(Device& device, Buffer& buffer, std::span<const std::byte> bytes, std::uint64_t offset) {
  if (auto inside = check_range(buffer, offset, bytes.size(), "Uploading"); !inside || bytes.empty()) {
    return inside;
  }
  if (const auto mapped = buffer.host(); !mapped.empty()) {
    std::ranges::copy(bytes, mapped.subspan(offset).begin());
    return {};
  }
  auto staging = make_staging(device, MemoryKind::upload, offset, bytes.size());
  if (!staging) {
    return tl::unexpected<Error>(std::move(staging.error()));
  }
  while (!bytes.empty()) {
    const auto piece = next_piece(offset, bytes.size());
    const auto words = (*staging)->host().first(piece.copied_bytes);
    if (piece.copied_bytes != piece.bytes) {
      if (auto kept = keep_edges(device, buffer, piece, words); !kept) {
        return kept;
      }
    }
    std::ranges::copy(bytes.first(piece.bytes), words.subspan(piece.skip).begin());
    const Copy copy{staging->get(), 0, &buffer, piece.first_word_byte, piece.copied_bytes};
    if (auto copied = copy_and_wait(device, {&copy, 1}); !copied) {
      return copied;
    }
    bytes = bytes.subspan(piece.bytes);
    offset += piece.bytes;
  }
  return {};
}

Expected<void> download(Device& device, Buffer& buffer, std::span<std::byte> bytes, std::uint64_t offset) {
  if (auto inside = check_range(buffer, offset, bytes.size(), "Downloading"); !inside || bytes.empty()) {
    return inside;
  }
  if (const auto mapped = buffer.host(); !mapped.empty()) {
    std::ranges::copy(mapped.subspan(offset, bytes.size()), bytes.begin());
    return {};
  }
  auto staging = make_staging(device, MemoryKind::readback, offset, bytes.size());
  if (!staging) {
    return tl::unexpected<Error>(std::move(staging.error()));
  }
  while (!bytes.empty()) {
    const auto piece = next_piece(offset, bytes.size());
    const Copy copy{&buffer, piece.first_word_byte, staging->get(), 0, piece.copied_bytes};
    if (auto copied = copy_and_wait(device, {&copy, 1}); !copied) {
      return copied;
    }
    std::ranges::copy((*staging)->host().subspan(piece.skip, piece.bytes), bytes.begin());
    bytes = bytes.subspan(piece.bytes);
    offset += piece.bytes;
  }
  return {};
}

Expected<void> run(Device& device, CommandList& list) {
  auto submitted = device.submit(list);
  return submitted ? device.wait(list) : submitted;
}

}  // namespace crosslane
