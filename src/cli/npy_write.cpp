#include "cli/npy_write.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/rounding.hpp"

namespace crosslane::cli {
namespace {

tl::unexpected<Error> cannot_write(const std::filesystem::path& path, const std::error_code& why) {
  return fail(ErrorCode::invalid_argument, fmt::format("{}: cannot be written ({}): check path, permissions and room",
                                                       path.string(), why.message()));
}

// NumPy's format, version 1.0: the data begins at a multiple of 64 bytes.
std::string header(const std::string& descr, const std::vector<std::uint64_t>& shape) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t prefix_bytes = 10;
  auto text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr, fmt::join(shape, ", "),
                          shape.size() == 1 ? "," : "");
  const auto total = round_up(prefix_bytes + text.size() + 1, alignment);
  text.append(total - prefix_bytes - text.size() - 1, ' ').push_back('\n');
  std::string prefix("\x93NUMPY\x01\x00", 8);
  prefix.push_back(static_cast<char>(text.size() & 0xFFU));
  prefix.push_back(static_cast<char>(text.size() >> 8U));
  return prefix + text;
}

}  // namespace

PendingNpy::PendingNpy(std::filesystem::path path, std::filesystem::path temporary)
    : path_(std::move(path)), temporary_(std::move(temporary)) {}

PendingNpy::PendingNpy(PendingNpy&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

PendingNpy::~PendingNpy() {
  if (!temporary_.empty()) {
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
  }
}

Expected<PendingNpy> PendingNpy::write(const std::filesystem::path& path, const std::string& descr,
                                       const std::vector<std::uint64_t>& shape, std::span<const std::byte> data) {
  std::string name = path.string() + ".XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) {
    return cannot_write(path, std::error_code(errno, std::generic_category()));
  }
  close(descriptor);
  PendingNpy pending(path, name);
  std::ofstream stream(name, std::ios::binary);
  stream << header(descr, shape);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): streams know bytes as char only
  stream.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  errno = 0;
  stream.close();
  if (!stream) {
    return cannot_write(path, std::error_code(errno == 0 ? EIO : errno, std::generic_category()));
  }
  // mkstemp lets its owner alone read; files have what the user's mask leaves.
  const auto mask = umask(0);
  umask(mask);
  std::error_code error;
  std::filesystem::permissions(name, static_cast<std::filesystem::perms>(0666U & ~mask), error);
  return error ? Expected<PendingNpy>(cannot_write(path, error)) : Expected<PendingNpy>(std::move(pending));
}

Expected<void> PendingNpy::commit() {
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) {
    return cannot_write(path_, error);
  }
  temporary_.clear();
  return {};
}

}  // namespace crosslane::cli
