#include "compile/test_support.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace crosslane::compile {

const Compiler& test_compiler() {
  static const auto compiler = load_compiler(CROSSLANE_TEST_DXC);
  if (!compiler) {
    throw std::runtime_error(text_of(compiler.error()));
  }
  return **compiler;
}

std::string shader_of(std::string_view statements, std::string_view attributes) {
  return "RWStructuredBuffer<uint> values;\n" + std::string(attributes) +
         "[numthreads(64, 1, 1)]\nvoid main(uint3 id : SV_DispatchThreadID) {\n  const uint thread = id.x;\n" +
         std::string(statements) + "\n}\n";
}

Request source_request(std::string source, std::string profile, Target target) {
  Request request;
  request.file = "test.hlsl";
  request.source = std::move(source);
  request.profile = std::move(profile);
  request.target = target;
  return request;
}

std::string text_of(const Error& error) {
  std::string text = error.message;
  for (const std::string& reason : error.reasons) {
    text += "\n" + reason;
  }
  return text;
}

void FolderTest::SetUp() {
  std::string name = (std::filesystem::temp_directory_path() / "crosslane-compile-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  folder_ = std::filesystem::canonical(name);
}

void FolderTest::TearDown() { std::filesystem::remove_all(folder_); }

std::filesystem::path FolderTest::write(const std::filesystem::path& name, std::string_view text) const {
  auto file = folder_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

ProgramResult run_program(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t process = 0;
  const int failed = posix_spawnp(&process, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    throw std::runtime_error("cannot run " + command.front());
  }
  ProgramResult result;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;) {
    result.output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(process, &status, 0);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace crosslane::compile
