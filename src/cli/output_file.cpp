#include "cli/output_file.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace crosslane::cli {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> refuse(std::string_view name, std::string_view why) {
  return fail(ErrorCode::invalid_argument, fmt::format("{}: {}", name, why));
}

Expected<void> check_name(const fs::path& name, const FileKind& kind) {
  if (name.empty()) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the name of the output file is empty: name {} (a shell variable may be unset)", kind.file));
  }
  if (name == "-") {
    return refuse("-", fmt::format("{} are not written to standard output: name {} (./- for one that is called -)",
                                   kind.things, kind.file));
  }
  std::error_code ignored;
  if (fs::is_directory(name, ignored)) {
    return refuse(name.string(), fmt::format("this is a directory: name {} in it", kind.file));
  }
  if (!name.has_filename()) {
    return refuse(name.string(), fmt::format("the name ends in a slash, as those of folders do: add the name of {}, or "
                                             "leave the slash out",
                                             kind.file));
  }
  return {};
}

// What the links lead to, which need not be there. The system refuses circles, so they were found before this.
fs::path follow_links(const fs::path& name) {
  constexpr int most_links = 40;  // as Linux follows
  fs::path target = name;
  std::error_code error;
  for (int links = 0; links < most_links && fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) {
      break;
    }
    target = target.parent_path() / next;
  }
  return target;
}

Expected<void> check_folder(const OutputFile& file, const FileKind& kind) {
  const fs::path folder = file.target.has_parent_path() ? file.target.parent_path() : fs::path(".");
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) {
    return {};
  }
  for (fs::path part = folder; !part.empty() && part != part.parent_path(); part = part.parent_path()) {
    if (fs::exists(fs::symlink_status(part, ignored)) && !fs::is_directory(part, ignored)) {
      return refuse(file.text(), fmt::format("{} is no folder: name {} in one", part.string(), kind.file));
    }
  }
  return refuse(file.text(), fmt::format("there is no folder {}: make it first", folder.string()));
}

}  // namespace

std::string OutputFile::text() const {
  return name == target ? name.string() : fmt::format("{} (a link to {})", name.string(), target.string());
}

tl::unexpected<Error> cannot_write(const OutputFile& file, const std::error_code& why) {
  return refuse(file.text(), fmt::format("cannot be written ({}): check path, permissions and room", why.message()));
}

Expected<OutputFile> find_output(const fs::path& name, const FileKind& kind) {
  if (auto named = check_name(name, kind); !named) {
    return tl::unexpected(std::move(named.error()));
  }
  std::error_code error;
  const fs::file_status status = fs::status(name, error);
  if (error == std::errc::too_many_symbolic_link_levels) {
    return refuse(name.string(),
                  fmt::format("its symbolic links lead in a circle: name {}, or mend the links", kind.file));
  }
  OutputFile file{name, follow_links(name)};
  if (auto folder = check_folder(file, kind); !folder) {
    return tl::unexpected(std::move(folder.error()));
  }
  if (status.type() == fs::file_type::none) {
    return cannot_write(file, error);
  }
  if (!fs::exists(status)) {
    return file;
  }
  // /dev/stdout leads to files that may have lost their names, and to pipes.
  if (!fs::is_regular_file(status) || !fs::equivalent(name, file.target, error)) {
    return refuse(name.string(), fmt::format("this is not a regular file: name {}", kind.file));
  }
  return file;
}

Expected<void> check_output(const fs::path& name, bool force, const FileKind& kind) {
  return find_output(name, kind).and_then([&](const OutputFile& file) -> Expected<void> {
    std::error_code ignored;
    if (!force && fs::exists(file.target, ignored)) {
      return refuse(file.text(), "there is such a file already: choose another name, or overwrite it with --force");
    }
    return {};
  });
}

}  // namespace crosslane::cli
