// Arrays on their way between files and devices, in pieces of bounded size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "cli/console.hpp"
#include "cli/npy.hpp"
#include "cli/npy_write.hpp"
#include "crosslane/device.hpp"

namespace crosslane::cli {

/// Sees the pieces of an array, in order.
using PieceObserver = std::function<void(std::span<const std::byte>)>;

/// A buffer with the file's elements, of one element at least. Errors: those of the device and of reading;
/// `unsupported` for a file larger than the device's buffers.
Expected<std::unique_ptr<Buffer>> load_array(Device& device, NpyFile& file, const Console& console,
                                             const PieceObserver& observe = {});

/// What an array's elements become.
struct NumberType {
  ScalarType part = ScalarType::f32;  ///< f32 or f64
  bool is_complex = false;

  [[nodiscard]] std::uint64_t bytes() const { return size_of(part) * (is_complex ? 2 : 1); }
};

/// A buffer with the file's elements as numbers of that type, of one at least; complex elements have it already.
/// Errors: as for load_array.
Expected<std::unique_ptr<Buffer>> load_numbers(Device& device, NpyFile& file, const NumberType& type,
                                               const Console& console);

/// A buffer with a word for each flag of a file opened for flags, 0 where that is 0 or False; of one word at least.
/// Errors: as for load_array.
Expected<std::unique_ptr<Buffer>> load_flags(Device& device, NpyFile& file, const Console& console);

/// Errors: `unsupported` for arrays of several dimensions that lie by columns, naming the file; `verb` goes by rows.
Expected<void> check_rows(const NpyFile& file, std::string_view verb);

/// Appends the first `bytes` bytes of a buffer to a file. Errors: those of the device and of writing.
Expected<void> store_array(Device& device, Buffer& buffer, std::uint64_t bytes, PendingNpy& file,
                           const Console& console);

}  // namespace crosslane::cli
