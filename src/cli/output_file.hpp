// Files that verbs write: where they lie, and whether they may be written there.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "crosslane/error.hpp"

namespace crosslane::cli {

/// What is written, for messages.
struct FileKind {
  std::string_view things;  ///< "arrays"
  std::string_view file;    ///< "an .npy file"
};

inline constexpr FileKind npy_files = {"arrays", "an .npy file"};
inline constexpr FileKind png_files = {"images", "a .png file"};
inline constexpr FileKind dxil_files = {"shaders", "a .dxil file"};
inline constexpr FileKind spirv_files = {"shaders", "an .spv file"};
inline constexpr FileKind sarif_files = {"findings", "a .sarif file"};

/// Where an output lies, and what it was called.
struct OutputFile {
  std::filesystem::path name;  ///< as it was given
  std::filesystem::path
      target;  ///< the name, or what it leads to where it is a symbolic link; a file need not be there

  /// The name for messages; of links with the target behind it.
  [[nodiscard]] std::string text() const;
};

/// Follows symbolic links, as a shell's redirection does: the file at their end is written, and they stay. Errors:
/// `invalid_argument` for names that can be no file's (empty, "-", with a slash at the end), folders that are not
/// there, links in a circle, and for what is there and is no regular file: a file would take the place of a device as
/// /dev/null.
Expected<OutputFile> find_output(const std::filesystem::path& name, const FileKind& kind = npy_files);

/// Errors: those of find_output; `invalid_argument` for a file that is there already, unless `force`.
Expected<void> check_output(const std::filesystem::path& name, bool force, const FileKind& kind = npy_files);

/// "…: cannot be written (why): check path, permissions and room".
tl::unexpected<Error> cannot_write(const OutputFile& file, const std::error_code& why);

}  // namespace crosslane::cli
