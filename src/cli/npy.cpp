#include "cli/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/input_file.hpp"
#include "cli/npy_type.hpp"
#include "cli/python_literal.hpp"

namespace crosslane::cli {
namespace {

using Kind = PythonLiteral::Kind;

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::string_view save_again = "save the array again with np.save";

// NumPy itself refuses longer headers by default; those of plain numbers have about 128 bytes.
constexpr std::uint64_t longest_header = std::uint64_t{1} << 16U;

tl::unexpected<Error> malformed(const std::string& name, std::string_view what) {
  return fail(ErrorCode::invalid_input, fmt::format("{}: {}: {}", name, what, save_again));
}

std::optional<std::string> read_text(std::istream& stream, std::size_t bytes) {
  std::string text(bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(bytes));
  if (stream.gcount() != static_cast<std::streamsize>(bytes)) {
    return std::nullopt;
  }
  return text;
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8U * i);
  }
  return value;
}

// The text of the dictionary between the fixed first bytes and the data.
Expected<std::string> read_dictionary(std::istream& stream, const std::string& name) {
  const std::optional<std::string> start = read_text(stream, magic.size() + 2);
  if (!start || !start->starts_with(magic)) {
    if (start && start->starts_with("PK")) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("{}: this is an archive of arrays (.npz): save one of them alone, "
                              "np.save('one.npy', np.load('{}')['name of the array'])",
                              name, name));
    }
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: this is not an .npy file: write one with NumPy's np.save", name));
  }
  const int version = static_cast<unsigned char>((*start)[magic.size()]);
  const int minor = static_cast<unsigned char>((*start)[magic.size() + 1]);
  if (version < 1 || version > 3 || minor != 0) {
    return malformed(
        name, fmt::format("version {}.{} of the .npy format is unknown, 1.0, 2.0 and 3.0 are read", version, minor));
  }
  const std::optional<std::string> length_bytes = read_text(stream, version == 1 ? 2 : 4);
  if (!length_bytes) {
    return malformed(name, "the file ends inside its header");
  }
  const std::uint64_t length = little_endian(*length_bytes);
  if (length > longest_header) {
    return malformed(name, fmt::format("its header claims {} bytes, those of arrays of numbers have at most {}", length,
                                       longest_header));
  }
  std::optional<std::string> dictionary = read_text(stream, length);
  if (!dictionary) {
    return malformed(name, "the file ends inside its header");
  }
  return *std::move(dictionary);
}

// The value of `key`; nothing where the dictionary does not have it.
const PythonLiteral* find_value(const PythonLiteral& dictionary, std::string_view key) {
  for (std::size_t i = 0; i + 1 < dictionary.items.size(); i += 2) {
    if (dictionary.items[i].kind == Kind::string && dictionary.items[i].text == key) {
      return &dictionary.items[i + 1];
    }
  }
  return nullptr;
}

// Digits, with the L that Python 2 added to long numbers. Python has no numbers that begin with 0 but are not 0.
std::optional<std::uint64_t> dimension(const PythonLiteral& literal) {
  std::string_view digits = literal.text;
  if (digits.ends_with('L')) {
    digits.remove_suffix(1);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (literal.kind != Kind::word || !whole || (digits.size() > 1 && digits.starts_with('0'))) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::vector<std::uint64_t>> shape_of(const PythonLiteral& literal) {
  if (literal.kind != Kind::tuple) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> shape;
  for (const PythonLiteral& item : literal.items) {
    const std::optional<std::uint64_t> size = dimension(item);
    if (!size) {
      return std::nullopt;
    }
    shape.push_back(*size);
  }
  return shape;
}

std::optional<std::uint64_t> product(const std::vector<std::uint64_t>& factors) {
  if (std::ranges::find(factors, 0U) != factors.end()) {
    return 0;
  }
  std::uint64_t result = 1;
  for (const std::uint64_t factor : factors) {
    if (result > std::numeric_limits<std::uint64_t>::max() / factor) {
      return std::nullopt;
    }
    result *= factor;
  }
  return result;
}

Expected<NpyElementType> element_type(const PythonLiteral& descr, const std::string& name, NpyElements elements) {
  if (elements == NpyElements::flags) {
    return flag_type_of_descr(descr, name);
  }
  if (elements == NpyElements::halves) {
    return half_type_of_descr(descr, name);
  }
  if (elements == NpyElements::pixels) {
    return channel_type_of_descr(descr, name);
  }
  if (const auto part = elements == NpyElements::complex ? part_type_of_descr(descr) : std::nullopt) {
    return NpyElementType{.type = *part, .is_complex = true};
  }
  return scalar_type_of_descr(descr, name).map([](ScalarType type) { return NpyElementType{.type = type}; });
}

Expected<NpyHeader> parse_dictionary(const std::string& text, const std::string& name, NpyElements elements) {
  constexpr std::size_t keys_and_values = 6;
  const std::optional<PythonLiteral> dictionary = parse_python_literal(text);
  const bool is_dictionary = dictionary && dictionary->kind == Kind::dictionary;
  const PythonLiteral* const descr = is_dictionary ? find_value(*dictionary, "descr") : nullptr;
  const PythonLiteral* const fortran_order = is_dictionary ? find_value(*dictionary, "fortran_order") : nullptr;
  const PythonLiteral* const shape = is_dictionary ? find_value(*dictionary, "shape") : nullptr;
  if (descr == nullptr || fortran_order == nullptr || shape == nullptr || dictionary->items.size() != keys_and_values) {
    return malformed(name, "its header is no dictionary of 'descr', 'fortran_order' and 'shape'");
  }
  const Expected<NpyElementType> type = element_type(*descr, name, elements);
  if (!type) {
    return tl::unexpected(type.error());
  }
  // Elements of either order are read as they lie in the file.
  if (fortran_order->kind != Kind::word || (fortran_order->text != "True" && fortran_order->text != "False")) {
    return malformed(name, fmt::format("'fortran_order' in its header is neither True nor False, but {}",
                                       abbreviated(fortran_order->source)));
  }
  std::optional<std::vector<std::uint64_t>> sizes = shape_of(*shape);
  if (!sizes) {
    return malformed(name, fmt::format("the shape in its header is malformed, no tuple of plain 64-bit numbers: {}",
                                       abbreviated(shape->source)));
  }

  NpyHeader header{type->type, *std::move(sizes)};
  header.of_bytes = type->of_bytes;
  header.is_complex = type->is_complex;
  header.channel = type->channel;
  const std::optional<std::uint64_t> count = product(header.shape);
  if (!count || *count > std::numeric_limits<std::int64_t>::max() / header.element_bytes()) {
    return malformed(name, fmt::format("the shape in its header, {}, has more elements than any memory holds",
                                       abbreviated(shape->source)));
  }
  header.count = *count;
  const auto is_extended = [](std::uint64_t size) { return size > 1; };
  header.by_columns = fortran_order->text == "True" && std::ranges::count_if(header.shape, is_extended) > 1;
  return header;
}

std::string_view type_name(const NpyHeader& header) {
  return header.channel ? name(*header.channel) : header.of_bytes ? "bool or 8 bits" : crosslane::name(header.type);
}

}  // namespace

Expected<NpyHeader> read_npy_header(std::istream& stream, std::uint64_t file_bytes, const std::string& name,
                                    NpyElements elements) {
  if (file_bytes == 0) {
    return malformed(name, "the file is empty (0 bytes)");
  }
  const Expected<std::string> dictionary = read_dictionary(stream, name);
  if (!dictionary) {
    return tl::unexpected(dictionary.error());
  }
  Expected<NpyHeader> header = parse_dictionary(*dictionary, name, elements);
  if (!header) {
    return header;
  }
  header->data_offset = static_cast<std::uint64_t>(stream.tellg());
  const std::uint64_t found = file_bytes - header->data_offset;
  const std::uint64_t expected = header->data_bytes();
  const std::string sizes = fmt::format("{} bytes of data expected for {} elements of type {}{}, {} found", expected,
                                        header->count, header->is_complex ? "complex " : "", type_name(*header), found);
  if (found < expected) {
    return malformed(name, fmt::format("the file is truncated, {}", sizes));
  }
  if (found > expected) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: {} bytes follow the array, {}: save one array per file with np.save", name,
                            found - expected, sizes));
  }
  return header;
}

NpyFile::NpyFile(std::string name, std::ifstream stream, NpyHeader header)
    : name_(std::move(name)), stream_(std::move(stream)), header_(std::move(header)) {}

Expected<NpyFile> NpyFile::open(const std::filesystem::path& path, NpyElements elements) {
  if (auto regular = check_input(path, npy_files); !regular) {
    return tl::unexpected(std::move(regular.error()));
  }
  std::string name = path.string();
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    const std::error_code reason(errno, std::generic_category());
    return fail(
        ErrorCode::invalid_input,
        fmt::format("{}: cannot be opened ({}): give yourself the permission to read it", name, reason.message()));
  }
  std::error_code error;
  const std::uint64_t file_bytes = std::filesystem::file_size(path, error);
  if (error) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: cannot be read ({}): check path and permissions", name, error.message()));
  }
  Expected<NpyHeader> header = read_npy_header(stream, file_bytes, name, elements);
  if (!header) {
    return tl::unexpected(std::move(header.error()));
  }
  return NpyFile(std::move(name), std::move(stream), *std::move(header));
}

Expected<void> NpyFile::read(std::span<std::byte> bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): streams know bytes as char only
  stream_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (stream_.gcount() != static_cast<std::streamsize>(bytes.size())) {
    return malformed(name_, "the file ended while it was read");
  }
  return {};
}

}  // namespace crosslane::cli
