#include "cli/whole_file.hpp"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

#include "cli/temporary_file.hpp"

namespace crosslane::cli {

Expected<void> write_whole(const std::filesystem::path& path, std::string_view bytes, const FileKind& kind) {
  auto file = TemporaryFile::create(path, kind);
  if (!file) {
    return tl::unexpected(std::move(file.error()));
  }
  errno = 0;
  std::ofstream stream(file->name(), std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) {
    return cannot_write(file->output(), std::error_code(errno == 0 ? EIO : errno, std::generic_category()));
  }
  return file->commit();
}

}  // namespace crosslane::cli
