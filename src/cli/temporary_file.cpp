#include "cli/temporary_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace crosslane::cli {
namespace {

constexpr std::array stopping_signals = {SIGINT, SIGTERM, SIGHUP};

// What a signal handler may read: the names of the files there are, for as long as they are. One command writes a
// handful; files beyond these places are only removed in the ordinary way.
constexpr std::size_t most_files = 64;
std::array<std::atomic<char*>, most_files> unfinished{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void remove_unfinished(int signal) {
  for (const auto& name : unfinished) {
    if (const char* const text = name.load()) {
      unlink(text);
    }
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watch_signals() {
  for (const int signal : stopping_signals) {
    struct sigaction now {};
    // A program that handles the signal itself keeps doing so.
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
      std::signal(signal, remove_unfinished);
    }
  }
}

void add_unfinished(const std::string& name) {
  static const bool watching = (watch_signals(), true);
  static_cast<void>(watching);
  char* text = strdup(name.c_str());
  for (auto& place : unfinished) {
    char* none = nullptr;
    if (place.compare_exchange_strong(none, text)) {
      return;
    }
  }
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): strdup's
}

void drop_unfinished(const std::string& name) {
  for (auto& place : unfinished) {
    char* text = place.load();
    if (text != nullptr && name == text && place.compare_exchange_strong(text, nullptr)) {
      std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): strdup's
      return;
    }
  }
}

}  // namespace

Expected<TemporaryFile> TemporaryFile::create(const std::filesystem::path& path, const FileKind& kind) {
  auto output = find_output(path, kind);
  if (!output) {
    return tl::unexpected(std::move(output.error()));
  }
  // A name of its own: that of the output with something added may be longer than names can be.
  std::string name = (output->target.parent_path() / ".crosslane-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) {
    return cannot_write(*output, std::error_code(errno, std::generic_category()));
  }
  close(descriptor);
  add_unfinished(name);
  TemporaryFile file(*std::move(output), name);
  // mkstemp lets its owner alone read; new files have what the user's mask leaves, and those that are replaced keep
  // theirs.
  const auto mask = umask(0);
  umask(mask);
  std::error_code error;
  const auto before = std::filesystem::status(file.output_.target, error);
  const auto permissions = std::filesystem::is_regular_file(before)
                               ? before.permissions()
                               : static_cast<std::filesystem::perms>(0666U & ~mask);
  std::filesystem::permissions(name, permissions, error);
  return error ? Expected<TemporaryFile>(cannot_write(file.output_, error)) : Expected<TemporaryFile>(std::move(file));
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : output_(std::move(other.output_)), name_(std::exchange(other.name_, {})) {}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty()) {
    std::error_code ignored;
    std::filesystem::remove(name_, ignored);
    drop_unfinished(name_);
  }
}

Expected<void> TemporaryFile::commit() {
  std::error_code error;
  std::filesystem::rename(name_, output_.target, error);
  if (error) {
    return cannot_write(output_, error);
  }
  drop_unfinished(name_);
  name_.clear();
  return {};
}

}  // namespace crosslane::cli
