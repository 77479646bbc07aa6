// Damaged jobs and test files are errors or other jobs, never anything worse.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "job/read_job.hpp"
#include "job/test_file.hpp"

namespace crosslane::job {
namespace {

const HasFeature nothing = [](std::string_view /*feature*/) { return false; };

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Bytes that mean something in YAML and in commands, and others.
char some_byte(std::mt19937& random) {
  constexpr std::string_view meaningful = "[]{}:,-#&*!|>'\"%@`? \n\t0x9\\.~<=()";
  const auto choice = random() % (2 * meaningful.size());
  return choice < meaningful.size() ? meaningful[choice] : static_cast<char>(random() % 256);
}

std::string damaged(std::string text, std::mt19937& random) {
  for (auto changes = 1 + random() % 4; changes > 0 && !text.empty(); --changes) {
    const auto at = random() % text.size();
    switch (random() % 4) {
      case 0:
        text[at] = some_byte(random);
        break;
      case 1:
        text.insert(at, 1, some_byte(random));
        break;
      case 2:
        text.erase(at, 1 + random() % 20);
        break;
      default:
        text.insert(random() % text.size(), text.substr(at, random() % 40));
        break;
    }
  }
  return text;
}

TEST(Mutation, DamagedFilesAreReadOrRefused) {
  std::mt19937 random(1);
  std::uint32_t refused = 0;
  std::uint32_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CROSSLANE_TEST_CASES)) {
    if (entry.path().extension() != ".test") {
      continue;
    }
    const auto whole = contents(entry.path());
    for (int round = 0; round < 50; ++round) {
      const auto text = damaged(whole, random);
      const auto file = TestFile::parse(text, "a.test");
      if (!file) {
        EXPECT_EQ(file.error().code, ErrorCode::invalid_input);
        continue;
      }
      const auto runs = file->runs(nothing);
      EXPECT_TRUE(runs.has_value() || runs.error().code == ErrorCode::invalid_input);
      for (const auto& section : file->sections()) {
        const auto job = read_job(section.text, "a.test", section.first_line);
        (job ? read : refused) += 1;
        EXPECT_TRUE(job.has_value() || job.error().code == ErrorCode::invalid_input);
        EXPECT_TRUE(job.has_value() || job.error().message.starts_with("a.test:")) << job.error().message;
      }
    }
  }
  // Both happen, or the test would show nothing.
  EXPECT_GT(read, 100U);
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace crosslane::job
