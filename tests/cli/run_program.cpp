#include "cli/run_program.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace crosslane::cli::test {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void redirect(int descriptor, const std::string& file) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) {
    _exit(120);
  }
}

// Everything after fork(): becomes the program.
[[noreturn]] void become_program(const std::vector<std::string>& arguments, const RunOptions& options,
                                 const std::filesystem::path& folder, const std::string& out, const std::string& err) {
  if (chdir(folder.c_str()) != 0) {
    _exit(121);
  }
  redirect(STDOUT_FILENO, out);
  redirect(STDERR_FILENO, err);
  // NOLINTBEGIN(concurrency-mt-unsafe): one thread, between fork and exec
  setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1);
  for (const auto& [name, value] : options.environment) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  // NOLINTEND(concurrency-mt-unsafe)
  if (options.obeys_permissions && geteuid() == 0) {
    // Root keeps its user but loses the rights that put it above permissions.
    if (prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) != 0 || prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH) != 0) {
      _exit(122);
    }
  }
  const rlimit limit{options.largest_file, options.largest_file};
  if (options.largest_file != 0 && setrlimit(RLIMIT_FSIZE, &limit) != 0) {
    _exit(124);
  }
  std::vector<std::string> words = {CROSSLANE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  execv(CROSSLANE_PROGRAM, pointers.data());
  _exit(123);
}

}  // namespace

nlohmann::json Outcome::json() const {
  nlohmann::json json = nlohmann::json::parse(out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << "no JSON document: " << out << err;
  EXPECT_EQ(err, "") << "everything belongs into the document";
  if (json.is_object()) {
    EXPECT_EQ(json.value("schema_version", 0), 1);
  }
  return json;
}

int expected_wave_size() {
  const char* const text = std::getenv("CROSSLANE_EXPECTED_WAVE_SIZE");  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_NE(text, nullptr) << "run by ctest, which sets it";
  return text == nullptr ? 0 : std::atoi(text);
}

std::string test_device() {
  const char* const text = std::getenv("CROSSLANE_TEST_DEVICE");  // NOLINT(concurrency-mt-unsafe): one thread
  return text == nullptr ? "vulkan:0" : text;
}

Outcome ProgramTest::run(const std::vector<std::string>& arguments, const RunOptions& options) {
  const std::string out = options.out_file.empty() ? (folder_ / "stdout").string() : options.out_file;
  const std::string err = (folder_ / "stderr").string();
  const pid_t child = fork();
  if (child == 0) {
    become_program(arguments, options, folder_, out, err);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    throw std::system_error(errno, std::generic_category(), "running the program");
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, options.out_file.empty() ? contents(out) : "", contents(err)};
}

}  // namespace crosslane::cli::test
