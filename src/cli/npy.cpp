#include "cli/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <exception>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <xtensor/xnpy.hpp>

#include "cli/npy_type.hpp"

namespace crosslane::cli {
namespace {

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

// The dictionary between the fixed first bytes and the data. xtensor's own function for this takes the length's bytes
// as signed numbers and does not notice the end of the file, hence this one.
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
  if (version < 1 || version > 3) {
    return malformed(name, fmt::format("version {} of the .npy format is unknown, 1 to 3 are read", version));
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

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \n";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The text between `key:` and `end`, or nothing where one of them is missing.
std::optional<std::string_view> value_text(std::string_view dictionary, std::string_view key, std::string_view end) {
  const std::size_t at = dictionary.find(key);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = trimmed(dictionary.substr(at + key.size()));
  const std::size_t stop = rest.rfind(end);
  if (!rest.starts_with(':') || stop == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view value = trimmed(rest.substr(1, stop - 1));
  if (value.ends_with(',')) {
    value = trimmed(value.substr(0, value.size() - 1));
  }
  return value;
}

// One dimension: digits, with the L that Python 2 added to long numbers.
bool is_dimension(std::string_view text) {
  constexpr std::size_t most_digits = 19;  // of a 64-bit number
  if (text.ends_with('L')) {
    text.remove_suffix(1);
  }
  return !text.empty() && text.size() <= most_digits &&
         std::ranges::all_of(text, [](unsigned char character) { return std::isdigit(character) != 0; });
}

// xtensor's parser takes any text for a dimension and makes numbers of it.
bool is_shape(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
    return false;
  }
  text = trimmed(text.substr(1, text.size() - 2));
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    if (!is_dimension(trimmed(text.substr(0, comma)))) {
      return false;
    }
    text = comma == std::string_view::npos ? std::string_view() : trimmed(text.substr(comma + 1));
  }
  return true;
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

Expected<NpyHeader> parse_dictionary(const std::string& dictionary, const std::string& name) {
  const std::string_view text = trimmed(dictionary);
  const std::optional<std::string_view> descr = value_text(text, "'descr'", "'fortran_order'");
  if (!dictionary.ends_with('\n') || !text.starts_with('{') || !text.ends_with('}') || !descr) {
    return malformed(name, "its header is not that of an .npy file");
  }
  const Expected<ScalarType> type = scalar_type_of_descr(*descr, name);
  if (!type) {
    return tl::unexpected(type.error());
  }
  const std::optional<std::string_view> shape_text = value_text(text, "'shape'", "}");
  if (!shape_text || !is_shape(*shape_text)) {
    return malformed(name, "the shape in its header is malformed");
  }

  std::string xtensor_descr;
  bool fortran_order = false;  // Either order is read as the elements lie in the file.
  std::vector<std::size_t> shape;
  try {
    xt::detail::parse_header(dictionary, xtensor_descr, &fortran_order, shape);
  } catch (const std::exception& exception) {
    return malformed(name, fmt::format("its header is malformed ({})", exception.what()));
  }

  NpyHeader header{*type, {shape.begin(), shape.end()}};
  const std::optional<std::uint64_t> count = product(header.shape);
  if (!count || *count > std::numeric_limits<std::int64_t>::max() / size_of(header.type)) {
    return malformed(name, fmt::format("the shape in its header, {}, has more elements than any memory holds",
                                       abbreviated(*shape_text)));
  }
  header.count = *count;
  return header;
}

}  // namespace

Expected<NpyHeader> read_npy_header(std::istream& stream, std::uint64_t file_bytes, const std::string& name) {
  if (file_bytes == 0) {
    return malformed(name, "the file is empty (0 bytes)");
  }
  const Expected<std::string> dictionary = read_dictionary(stream, name);
  if (!dictionary) {
    return tl::unexpected(dictionary.error());
  }
  Expected<NpyHeader> header = parse_dictionary(*dictionary, name);
  if (!header) {
    return header;
  }
  header->data_offset = static_cast<std::uint64_t>(stream.tellg());
  const std::uint64_t found = file_bytes - header->data_offset;
  const std::uint64_t expected = header->data_bytes();
  const std::string sizes = fmt::format("{} bytes of data expected for {} elements of type {}, {} found", expected,
                                        header->count, crosslane::name(header->type), found);
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

Expected<NpyFile> NpyFile::open(const std::filesystem::path& path) {
  std::string name = path.string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return fail(ErrorCode::invalid_input, fmt::format("{}: there is no such file: check the path", name));
  }
  if (error) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: cannot be read ({}): check path and permissions", name, error.message()));
  }
  if (status.type() == std::filesystem::file_type::directory) {
    return fail(ErrorCode::invalid_input, fmt::format("{}: this is a directory: name an .npy file in it", name));
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: this is not a regular file: copy the data to an .npy file first", name));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    const std::error_code reason(errno, std::generic_category());
    return fail(
        ErrorCode::invalid_input,
        fmt::format("{}: cannot be opened ({}): give yourself the permission to read it", name, reason.message()));
  }
  const std::uint64_t file_bytes = std::filesystem::file_size(path, error);
  if (error) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: cannot be read ({}): check path and permissions", name, error.message()));
  }
  Expected<NpyHeader> header = read_npy_header(stream, file_bytes, name);
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
