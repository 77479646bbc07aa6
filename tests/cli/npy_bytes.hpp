// Makes .npy files for tests, byte by byte.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crosslane::cli::test {

/// Magic, version, length and the dictionary, padded as NumPy pads: to a multiple of 64 bytes with a newline at the
/// end.
inline std::string npy_header(std::string_view dictionary, int version = 1) {
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  std::string text(dictionary);
  while ((8 + length_bytes + text.size() + 1) % 64 != 0) {
    text += ' ';
  }
  text += '\n';
  std::string header = "\x93NUMPY";
  header += static_cast<char>(version);
  header += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) {
    header += static_cast<char>((text.size() >> (8U * i)) & 0xFFU);
  }
  return header + text;
}

inline std::string npy_dictionary(std::string_view descr, std::string_view shape, bool fortran_order = false) {
  return "{'descr': " + std::string(descr) + ", 'fortran_order': " + (fortran_order ? "True" : "False") +
         ", 'shape': " + std::string(shape) + ", }";
}

/// The `descr` of an element type of this machine: "'<f4'".
template <typename T>
std::string descr_of() {
  static_assert(std::endian::native == std::endian::little);
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return std::string("'<") + kind + std::to_string(sizeof(T)) + "'";
}

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  return bytes;
}

/// A whole file with a one-dimensional array.
template <typename T>
std::string npy_bytes(const std::vector<T>& values) {
  return npy_header(npy_dictionary(descr_of<T>(), "(" + std::to_string(values.size()) + ",)")) + bytes_of(values);
}

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace crosslane::cli::test
