#include "cli/array_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <utility>
#include <vector>

#include "cli/pieces.hpp"
#include "cli/progress.hpp"

namespace crosslane::cli {
namespace {

// A buffer for `bytes` bytes of the file's array, of one element at least.
Expected<std::unique_ptr<Buffer>> make_room(Device& device, const NpyFile& file, std::uint64_t bytes,
                                            std::uint64_t element_bytes) {
  if (bytes > device.info().limits.buffer_bytes) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("{}: its {} bytes are more than the {} that one buffer of {} holds: split the array, or choose "
                    "another device with --device",
                    file.name(), bytes, device.info().limits.buffer_bytes, device.info().name));
  }
  auto buffer = device.create_buffer({.bytes = std::max(bytes, element_bytes)});
  if (!buffer) {
    return fail_because(fmt::format("{}: no room on {} for its {} bytes", file.name(), device.info().name, bytes),
                        std::move(buffer.error()));
  }
  return buffer;
}

template <typename Number, typename T>
std::vector<std::byte> converted_from(std::span<const std::byte> piece) {
  std::vector<std::byte> numbers(piece.size() / sizeof(T) * sizeof(Number));
  for (std::size_t i = 0; i < piece.size() / sizeof(T); ++i) {
    T element;
    std::memcpy(&element, &piece[i * sizeof(T)], sizeof(T));
    const Number number(static_cast<typename Number::value_type>(element));
    std::memcpy(&numbers[i * sizeof(Number)], &number, sizeof(Number));
  }
  return numbers;
}

// The elements of a piece, of type `type`, as `Number`s.
template <typename Number>
std::vector<std::byte> converted(std::span<const std::byte> piece, ScalarType type) {
  switch (type) {
    case ScalarType::u32:
      return converted_from<Number, std::uint32_t>(piece);
    case ScalarType::i32:
      return converted_from<Number, std::int32_t>(piece);
    case ScalarType::f32:
      return converted_from<Number, float>(piece);
    case ScalarType::u64:
      return converted_from<Number, std::uint64_t>(piece);
    case ScalarType::i64:
      return converted_from<Number, std::int64_t>(piece);
    default:
      return converted_from<Number, double>(piece);
  }
}

// A real number that says what it is made of, as std::complex does.
template <typename T>
struct Real {
  using value_type = T;
  explicit Real(T number) : value(number) {}
  T value;
};

std::vector<std::byte> converted(std::span<const std::byte> piece, ScalarType from, const NumberType& to) {
  if (to.part == ScalarType::f64) {
    return to.is_complex ? converted<std::complex<double>>(piece, from) : converted<Real<double>>(piece, from);
  }
  return to.is_complex ? converted<std::complex<float>>(piece, from) : converted<Real<float>>(piece, from);
}

}  // namespace

Expected<std::unique_ptr<Buffer>> load_array(Device& device, NpyFile& file, const Console& console,
                                             const PieceObserver& observe) {
  const std::uint64_t bytes = file.header().data_bytes();
  auto buffer = make_room(device, file, bytes, file.header().element_bytes());
  if (!buffer) {
    return buffer;
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

Expected<std::unique_ptr<Buffer>> load_flags(Device& device, NpyFile& file, const Console& console) {
  const NpyHeader& header = file.header();
  if (!header.of_bytes) {
    return load_array(device, file, console);
  }
  constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);
  auto buffer = make_room(device, file, header.count * word_bytes, word_bytes);
  if (!buffer) {
    return buffer;
  }
  Progress progress(console, "reading " + file.name(), header.count);
  std::vector<std::uint32_t> words;
  return in_pieces(header.count, progress,
                   [&](std::span<std::byte> piece, std::uint64_t offset) {
                     return file.read(piece).and_then([&] {
                       words.assign(piece.size(), 0);
                       std::ranges::transform(piece, words.begin(),
                                              [](std::byte flag) { return flag == std::byte{0} ? 0U : 1U; });
                       return upload(device, **buffer, std::as_bytes(std::span(words)), offset * word_bytes);
                     });
                   })
      .map([&] { return *std::move(buffer); });
}

Expected<std::unique_ptr<Buffer>> load_numbers(Device& device, NpyFile& file, const NumberType& type,
                                               const Console& console) {
  const NpyHeader& header = file.header();
  if (header.type == type.part && header.is_complex == type.is_complex) {
    return load_array(device, file, console);
  }
  auto buffer = make_room(device, file, header.count * type.bytes(), type.bytes());
  if (!buffer) {
    return buffer;
  }
  Progress progress(console, "reading " + file.name(), header.data_bytes());
  std::vector<std::byte> numbers;
  return in_pieces(header.data_bytes(), progress,
                   [&](std::span<std::byte> piece, std::uint64_t offset) {
                     return file.read(piece).and_then([&] {
                       numbers = converted(piece, header.type, type);
                       return upload(device, **buffer, numbers, offset / header.element_bytes() * type.bytes());
                     });
                   })
      .map([&] { return *std::move(buffer); });
}

Expected<void> check_rows(const NpyFile& file, std::string_view verb) {
  if (file.header().by_columns) {
    return fail(ErrorCode::unsupported,
                fmt::format("{}: its elements lie by columns (fortran_order), and {} goes by rows: save it again as "
                            "np.save('rows.npy', np.ascontiguousarray(np.load('{}')))",
                            file.name(), verb, file.name()));
  }
  return {};
}

Expected<void> store_array(Device& device, Buffer& buffer, std::uint64_t bytes, PendingNpy& file,
                           const Console& console) {
  Progress progress(console, "writing " + file.path().string(), bytes);
  return in_pieces(bytes, progress, [&](std::span<std::byte> piece, std::uint64_t offset) {
    return download(device, buffer, piece, offset).and_then([&] { return file.append(piece); });
  });
}

}  // namespace crosslane::cli
