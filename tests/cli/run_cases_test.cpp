// Every case of tests/cases, and the example of docs/jobs.md, run as a user would run it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli {
namespace {

using testing::HasSubstr;

const std::filesystem::path root = CROSSLANE_SOURCE_DIR;
const std::filesystem::path cases = root / "tests" / "cases";

const std::filesystem::path article = root / "examples" / "article";

std::vector<std::string> test_files(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".test") {
      names.push_back(file.path().filename().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

class Cases : public test::ProgramTest, public testing::WithParamInterface<std::string> {};

TEST_P(Cases, Hold) {
  const auto outcome = run({"run", (cases / GetParam()).string(), "--device", test::test_device(), "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto json = outcome.json();
  EXPECT_TRUE(json["all_hold"].get<bool>());
  const bool needs_32 = GetParam() == "wave.size_32.test";
  if (needs_32 && !json["skipped"].is_null()) {
    EXPECT_NE(test::expected_wave_size(), 32);
    EXPECT_THAT(json["skipped"].get<std::string>(), HasSubstr("WaveSize_32"));
    EXPECT_TRUE(json["runs"].empty());
    return;
  }
  // The devices of the tests have all the features that the cases ask for, so that none may be skipped here.
  EXPECT_TRUE(json["skipped"].is_null()) << json["skipped"];
  ASSERT_EQ(json["runs"].size(), 1U);
  EXPECT_FALSE(json["runs"][0]["results"].empty());
  EXPECT_EQ(json["runs"][0]["wave_size"], needs_32 ? 32 : test::expected_wave_size());
}

std::string test_name(const testing::TestParamInfo<std::string>& tested) {
  std::string name = tested.param;
  std::ranges::replace_if(
      name, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(OfOneFile, Cases, testing::ValuesIn(test_files(cases)), test_name);

// The article's listings.
class Article : public test::ProgramTest, public testing::WithParamInterface<std::string> {};

TEST_P(Article, Holds) {
  const auto outcome = run({"run", (article / GetParam()).string(), "--device", test::test_device(), "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto json = outcome.json();
  EXPECT_TRUE(json["all_hold"].get<bool>());
  const bool too_small = GetParam() == "fft8.test" && test::expected_wave_size() < 8;
  EXPECT_EQ(json["skipped"].is_null(), !too_small) << json["skipped"];
  EXPECT_EQ(json["runs"].size(), too_small ? 0U : 1U);
}

INSTANTIATE_TEST_SUITE_P(OfOneFile, Article, testing::ValuesIn(test_files(article)), test_name);

class CasesWithJobs : public test::ProgramTest {};

TEST_F(CasesWithJobs, GlslHolds) {
  const auto outcome =
      run({"run", (cases / "glsl.buffers.comp").string(), "--job", (cases / "glsl.buffers.yaml").string(), "--define",
           "SCALE=10", "--device", test::test_device()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("all 2 results hold"));
}

TEST_F(CasesWithJobs, AssemblyHolds) {
  const auto outcome = run({"run", (cases / "assembled.double.spvasm").string(), "--job",
                            (cases / "assembled.double.yaml").string(), "--device", test::test_device()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the result holds"));
}

// The fenced blocks of docs/jobs.md in their order.
std::vector<std::string> blocks_of_documentation() {
  std::ifstream stream(root / "docs" / "jobs.md");
  EXPECT_TRUE(stream.is_open());
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  std::vector<std::string> blocks;
  for (std::size_t at = text.find("```"); at != std::string::npos; at = text.find("```", at)) {
    const auto begin = text.find('\n', at) + 1;
    const auto end = text.find("```", begin);
    blocks.push_back(text.substr(begin, end - begin));
    at = end + 3;
  }
  return blocks;
}

TEST_F(CasesWithJobs, TheDocumentationsExampleHolds) {
  const auto blocks = blocks_of_documentation();
  ASSERT_GE(blocks.size(), 3U) << "a shader, its job, and what the program prints";
  test::write_file(folder_ / "scale.hlsl", blocks[0]);
  test::write_file(folder_ / "scale.yaml", blocks[1]);
  const auto outcome = run({"run", "scale.hlsl", "--job", "scale.yaml", "--device", test::test_device()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  // All but the lines that name the device and its wave size.
  const auto results = blocks[2].substr(blocks[2].find("  "));
  EXPECT_THAT(outcome.out, HasSubstr(results));
  EXPECT_THAT(blocks[2], HasSubstr("$ crosslane run scale.hlsl --job scale.yaml\n"));
}

}  // namespace
}  // namespace crosslane::cli
