// NumPy's .npy files: what the header says, checked against the file, and the elements in the order they lie in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/npy_type.hpp"
#include "crosslane/error.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane::cli {

/// Which types of elements a reader takes.
enum class NpyElements : std::uint8_t {
  numbers,  ///< the six element types
  flags,    ///< bool and integers of 8 and 32 bits
  complex,  ///< the six, and complex64 and complex128
  halves,   ///< float16
  pixels,   ///< uint8, uint16, float16 and float32
};

struct NpyHeader {
  ScalarType type = ScalarType::u32;  ///< of the parts of complex numbers; without meaning for elements of one byte
  std::vector<std::uint64_t> shape;
  std::uint64_t count = 0;                 ///< elements: the product of `shape`, 1 for an array without dimensions
  bool by_columns = false;                 ///< the first index runs fastest (Fortran's order), and it matters
  std::uint64_t data_offset = 0;           ///< bytes from the beginning of the file to the first element
  bool of_bytes = false;                   ///< elements are bool, uint8 or int8
  bool is_complex = false;                 ///< elements are complex64 or complex128
  std::optional<NpyChannel> channel = {};  ///< of an image; the type has no meaning then

  [[nodiscard]] std::uint64_t element_bytes() const {
    return channel ? size_of(*channel) : of_bytes ? 1 : size_of(type) * (is_complex ? 2 : 1);
  }
  [[nodiscard]] std::uint64_t data_bytes() const { return count * element_bytes(); }
};

/// Reads the header of a file of `file_bytes` bytes; afterwards `stream` stands at the first element. Allocates no more
/// than the header needs, whatever it claims. `name` is the file's name in messages. Errors: `invalid_input` for all
/// that is no complete .npy file, `unsupported` for element types that `elements` does not name, with the mend.
Expected<NpyHeader> read_npy_header(std::istream& stream, std::uint64_t file_bytes, const std::string& name,
                                    NpyElements elements = NpyElements::numbers);

/// An open .npy file, read from front to back.
class NpyFile {
 public:
  /// Errors: those of read_npy_header, and `invalid_input` for what is no readable regular file.
  static Expected<NpyFile> open(const std::filesystem::path& path, NpyElements elements = NpyElements::numbers);

  [[nodiscard]] const NpyHeader& header() const { return header_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Fills `bytes` with the data that follows what was read before. Errors: `invalid_input` where it ends early.
  Expected<void> read(std::span<std::byte> bytes);

 private:
  NpyFile(std::string name, std::ifstream stream, NpyHeader header);

  std::string name_;
  std::ifstream stream_;
  NpyHeader header_;
};

}  // namespace crosslane::cli
