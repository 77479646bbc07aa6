#include "compile/read_source.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "compile/text_encoding.hpp"

namespace crosslane::compile {

Expected<std::string> read_source(const std::filesystem::path& file, std::string_view what) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    return fail(ErrorCode::invalid_input, fmt::format("'{}' is a folder: name a file with {}", file.string(), what));
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::invalid_input,
                fmt::format("cannot read '{}': {}: {}", file.string(), std::generic_category().message(errno),
                            errno == ENOENT ? "check the path" : "name a file that may be read"));
  }
  return source_text(std::string(std::istreambuf_iterator<char>(stream), {}));
}

}  // namespace crosslane::compile
