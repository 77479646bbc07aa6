// posix_spawn, since the one library of Debian's for this, Boost.Process, takes more of Boost than the rest of
// Crosslane takes of anything, for one call.
#include "cli/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace crosslane::cli {
namespace {

constexpr const char* this_program = "/proc/self/exe";

// A file without a name takes as much as the child prints, while nobody reads.
using NamelessFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

NamelessFile nameless_file() { return {std::tmpfile(), std::fclose}; }

std::string contents(std::FILE* file) {
  std::string text;
  std::array<char, 4096> piece{};
  std::rewind(file);
  for (std::size_t read = 0; (read = std::fread(piece.data(), 1, piece.size(), file)) != 0;) {
    text.append(piece.data(), read);
  }
  return text;
}

// "NAME=VALUE" of each variable.
std::vector<std::string> variables_with(const Environment& added) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    bool replaced = false;
    for (const auto& [name, value] : added) {
      replaced = replaced || (text.starts_with(name) && text.substr(name.size()).starts_with('='));
    }
    if (!replaced) {
      all.emplace_back(text);
    }
  }
  for (const auto& [name, value] : added) {
    all.push_back(fmt::format("{}={}", name, value));
  }
  return all;
}

// As exec's functions take them.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }

  void redirect(int from, std::FILE* to) { posix_spawn_file_actions_adddup2(&actions_, fileno(to), from); }
  void empty(int from) { posix_spawn_file_actions_addopen(&actions_, from, "/dev/null", O_RDONLY, 0); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

tl::unexpected<Error> cannot_start(int why) {
  return fail(ErrorCode::device, fmt::format("no other process of this program can be started ({}): free memory, or "
                                             "raise the limit of processes",
                                             std::error_code(why, std::generic_category()).message()));
}

}  // namespace

Expected<ChildOutcome> run_again(const std::vector<std::string>& arguments, const Environment& environment) {
  const NamelessFile out = nameless_file();
  const NamelessFile err = nameless_file();
  if (!out || !err) {
    return cannot_start(errno);
  }
  std::vector<std::string> words = {"crosslane"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = variables_with(environment);
  FileActions actions;
  actions.empty(STDIN_FILENO);
  actions.redirect(STDOUT_FILENO, out.get());
  actions.redirect(STDERR_FILENO, err.get());
  pid_t child = 0;
  if (const int error = posix_spawn(&child, this_program, actions.get(), nullptr, pointers_to(words).data(),
                                    pointers_to(variables).data());
      error != 0) {
    return cannot_start(error);
  }
  int status = 0;
  while (waitpid(child, &status, 0) != child) {
    if (errno != EINTR) {
      return cannot_start(errno);
    }
  }
  return ChildOutcome{WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                      contents(out.get()), contents(err.get())};
}

}  // namespace crosslane::cli
