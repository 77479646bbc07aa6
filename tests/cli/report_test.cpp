// `crosslane report` from saved files, and on the wave machine.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"
#include "report/measured_document.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Report : public test::ProgramTest {
 protected:
  Report() {
    write("bench.json", report::test::bench_document().dump());
    write("decide.json", report::test::decide_document().dump());
  }

  void write(const std::string& name, const std::string& text) const { test::write_file(folder_ / name, text); }

  [[nodiscard]] std::string text_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  // It fails with one error of exit code 2 and leaves no file behind.
  void expect_refusal(const std::vector<std::string>& files, const std::string& error) {
    std::vector<std::string> arguments = {"report", "-o", "out.html"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(StartsWith("crosslane: error: "), HasSubstr(error)));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.html"));
  }
};

TEST_F(Report, WritesAPage) {
  const auto outcome = run({"report", "bench.json", "decide.json", "-o", "out.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "out.html: runs: 1, decisions: 1, devices: 1\n");
  EXPECT_THAT(text_of("out.html"), AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("NVIDIA H200"),
                                         HasSubstr("<h2 id=\"decisions\">"), HasSubstr("</html>\n")));
  EXPECT_EQ(run({"report", "bench.json", "decide.json"}).out, text_of("out.html"));
}

TEST_F(Report, TakesTheFormatFromTheNameOrAFlag) {
  EXPECT_EQ(run({"report", "bench.json", "-o", "out.md"}).exit_code, 0);
  EXPECT_THAT(text_of("out.md"), StartsWith("# Crosslane"));
  EXPECT_EQ(run({"report", "bench.json", "--format", "md"}).out, text_of("out.md"));
  EXPECT_EQ(run({"report", "bench.json", "-o", "page.md", "--format", "html"}).exit_code, 0);
  EXPECT_THAT(text_of("page.md"), StartsWith("<!DOCTYPE html>"));
}

TEST_F(Report, ReadsItsOwnJson) {
  ASSERT_EQ(run({"report", "bench.json", "decide.json", "-o", "all.json"}).exit_code, 0);
  const auto again = run({"report", "all.json", "bench.json", "--json"});
  EXPECT_EQ(again.out, text_of("all.json"));
  EXPECT_EQ(again.json().at("decisions").size(), 1U);
  EXPECT_EQ(run({"report", "all.json"}).out, run({"report", "bench.json", "decide.json"}).out);
}

TEST_F(Report, RefusesFilesThatAreNoMeasurements) {
  write("broken.json", report::test::bench_document().dump().substr(0, 500));
  write("other.json", R"({"schema_version": 1, "verb": "devices"})");
  write("deep.json", std::string(100, '[') + std::string(100, ']'));
  auto wrong = report::test::bench_document();
  wrong["runs"][0]["wave_size"] = "wide";
  write("wrong.json", wrong.dump());
  expect_refusal({"bench.json", "broken.json"}, "broken.json: is no JSON: byte 501 of 500");
  expect_refusal({"other.json"}, "other.json: runs and decisions are missing: give what 'crosslane bench --json'");
  expect_refusal({"deep.json"}, "deep.json: values lie 12 deep");
  expect_refusal({"wrong.json"}, "wrong.json: runs[0].wave_size is \"wide\", and has to be a whole number");
  expect_refusal({"missing.json"}, "missing.json: there is no such file");
  expect_refusal({"."}, ".: this is a directory");
  expect_refusal({""}, "the name of the measurement's file is empty");
  expect_refusal({"bench.json", "--device", "machine"}, "FILES excludes --device");
  expect_refusal({"bench.json", "--format", "pdf"}, "--format");
}

TEST_F(Report, ReplacesFilesWhenAsked) {
  write("there.html", "mine");
  const auto refused = run({"report", "bench.json", "-o", "there.html"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("there.html: there is such a file already"));
  EXPECT_EQ(text_of("there.html"), "mine");
  EXPECT_EQ(run({"report", "bench.json", "-o", "there.html", "--force"}).exit_code, 0);
  EXPECT_THAT(text_of("there.html"), StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(files(), ElementsAre("bench.json", "decide.json", "stderr", "stdout", "there.html"));
}

TEST_F(Report, TellsWhereNoFileCanBe) {
  EXPECT_THAT(run({"report", "bench.json", "-o", "none/x.html"}).err, HasSubstr("there is no folder none"));
  EXPECT_THAT(run({"report", "bench.json", "-o", ""}).err, HasSubstr("the name of the output file is empty"));
  EXPECT_THAT(run({"report", "bench.json", "-o", "-"}).err, HasSubstr("leave -o out"));
}

TEST_F(Report, MeasuresWhereNoFilesAreGiven) {
  const auto outcome = run({"report", "--device", "machine:32", "--size", "4096", "--max-time", "0.01", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out;
  const auto json = outcome.json();
  EXPECT_EQ(json.at("runs").size(), 1U);
  EXPECT_FALSE(json.at("counts").empty());
  EXPECT_EQ(json.at("decisions").size(), 5U);
  // 256, 1024 and 4096 elements of each algorithm.
  EXPECT_EQ(json.at("runs")[0].at("benchmarks").size(), 15U);
  EXPECT_FALSE(json.at("decisions")[0].at("stored").get<bool>());
}

}  // namespace
}  // namespace crosslane::cli
