#include "cli/npy_write.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/rounding.hpp"
#include "cli/output_file.hpp"

namespace crosslane::cli {
namespace {

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

Expected<PendingNpy> PendingNpy::begin(const std::filesystem::path& path, const std::string& descr,
                                       const std::vector<std::uint64_t>& shape) {
  auto file = TemporaryFile::create(path);
  if (!file) {
    return tl::unexpected(std::move(file.error()));
  }
  std::ofstream stream(file->name(), std::ios::binary);
  PendingNpy pending(*std::move(file), std::move(stream));
  errno = 0;
  pending.stream_ << header(descr, shape);
  return pending.check().map([&] { return std::move(pending); });
}

Expected<PendingNpy> PendingNpy::write(const std::filesystem::path& path, const std::string& descr,
                                       const std::vector<std::uint64_t>& shape, std::span<const std::byte> data) {
  auto pending = begin(path, descr, shape);
  if (pending) {
    const auto written = pending->append(data).and_then([&] { return pending->close(); });
    if (!written) {
      return tl::unexpected<Error>(written.error());
    }
  }
  return pending;
}

Expected<void> PendingNpy::append(std::span<const std::byte> data) {
  errno = 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): streams know bytes as char only
  stream_.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  return check();
}

Expected<void> PendingNpy::check() {
  if (!stream_) {
    return cannot_write(file_.output(), std::error_code(errno == 0 ? EIO : errno, std::generic_category()));
  }
  return {};
}

Expected<void> PendingNpy::close() {
  if (stream_.is_open()) {
    errno = 0;
    stream_.close();
  }
  return check();
}

Expected<void> PendingNpy::commit() {
  return close().and_then([&] { return file_.commit(); });
}

}  // namespace crosslane::cli
