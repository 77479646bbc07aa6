// Names for include folders that the compiler can keep: it loses folders with more than one letter beyond ASCII.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crosslane::compile {

/// Replaces each byte beyond ASCII by "%" and two digits in the folders of -I options, and puts the real names back
/// into the paths and the texts that the compiler makes of them.
class IncludeNames {
 public:
  /// Takes the folders from the arguments, "-I" "folder" or "-Ifolder", and renames them there.
  explicit IncludeNames(std::vector<std::string>& arguments);

  /// The real path of a path that begins with a renamed folder; any other path as it is.
  [[nodiscard]] std::string real_path(std::string path) const;
  /// The text with the real names of all renamed folders.
  [[nodiscard]] std::string real_text(std::string text) const;

 private:
  [[nodiscard]] std::string rename(std::string_view folder);

  std::vector<std::pair<std::string, std::string>> names_;  ///< ours and the real one, the longest first
};

}  // namespace crosslane::compile
