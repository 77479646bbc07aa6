// `crosslane scan` on files, against the dumbest correct code.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/array_command.hpp"
#include "cli/npy_bytes.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ScanCommand : public test::ArrayCommand {
 protected:
  ScanCommand() : ArrayCommand("scan") {}

  test::Outcome scan(std::vector<std::string> arguments) { return run_on_device(std::move(arguments)); }
};

TEST_F(ScanCommand, WritesRunningSumsOfTheSameType) {
  std::vector<std::uint32_t> values(100003);
  std::iota(values.begin(), values.end(), 0xFFFFFF00U);
  write("in.npy", values);
  for (const std::string method : {"automatic", "groupshared", "shuffle", "wave_intrinsics"}) {
    const auto outcome = scan({"in.npy", "-o", method + ".npy", "--method", method, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["type"], "u32");
    EXPECT_EQ(json["count"], 100003);
    EXPECT_EQ(json["op"], "sum");
    EXPECT_EQ(json["exclusive"], false);
    EXPECT_EQ(json["methods"].size(), 1U);
    std::vector<std::uint32_t> expected(values.size());
    std::partial_sum(values.begin(), values.end(), expected.begin());
    EXPECT_EQ(data_of<std::uint32_t>(method + ".npy", values.size()), expected);
    EXPECT_THAT(text_of(method + ".npy"), HasSubstr("'descr': '<u4', 'fortran_order': False, 'shape': (100003,)"));
  }
}

TEST_F(ScanCommand, WritesExclusiveMinimaOfDoubles) {
  const std::vector<double> values = {3, 5, -1, 2, -7};
  write("in.npy", values);
  const auto outcome = scan({"in.npy", "-o", "out.npy", "--op", "min", "--exclusive"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("exclusive scan by min of 5 f64 elements from in.npy to out.npy"));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(data_of<double>("out.npy", 5), (std::vector<double>{infinity, 3, 3, -1, -1}));
}

TEST_F(ScanCommand, OfNoElementsIsAnArrayOfNone) {
  write("in.npy", std::vector<float>{});
  const auto outcome = scan({"in.npy", "-o", "out.npy"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(text_of("out.npy"), HasSubstr("'shape': (0,)"));
}

TEST_F(ScanCommand, OverwritesOnlyWhenForced) {
  write("in.npy", std::vector<std::int32_t>{1, 2, 3});
  write("out.npy", std::vector<std::int32_t>{7});
  const std::string before = text_of("out.npy");
  const auto refused = scan({"in.npy", "-o", "out.npy"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("out.npy: there is such a file already: choose another name, or overwrite it with "
                                     "--force"));
  EXPECT_EQ(text_of("out.npy"), before);
  // Its own input too; that was read before.
  EXPECT_EQ(scan({"in.npy", "-o", "in.npy", "--force"}).exit_code, 0);
  EXPECT_EQ(data_of<std::int32_t>("in.npy", 3), (std::vector<std::int32_t>{1, 3, 6}));
}

// Where files lie is no matter of the device: the machine is the quickest.
class ScanFiles : public test::ArrayCommand {
 protected:
  ScanFiles() : ArrayCommand("scan") { write("in.npy", std::vector<std::int32_t>{1, 2, 3}); }

  test::Outcome scan_to(const std::string& output, const std::vector<std::string>& flags = {},
                        const test::RunOptions& options = {}) {
    std::vector<std::string> arguments = {"scan", "in.npy", "-o", output, "--device", "machine"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return run(arguments, options);
  }
};

TEST_F(ScanFiles, AreWrittenWhereLinksLead) {
  std::filesystem::create_directory(folder_ / "results");
  std::filesystem::create_symlink("results/out.npy", folder_ / "link.npy");
  ASSERT_EQ(scan_to("link.npy").exit_code, 0) << "there is nothing to overwrite yet";
  const auto refused = scan_to("link.npy");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("link.npy (a link to results/out.npy): there is such a file already"));
  ASSERT_EQ(scan_to("link.npy", {"--exclusive", "--force"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.npy"));
  EXPECT_EQ(data_of<std::int32_t>("results/out.npy", 3), (std::vector<std::int32_t>{0, 1, 3}));
}

// What /dev/stdout is, where standard output goes to a file.
TEST_F(ScanFiles, TakeThePlaceOfStandardOutputOnlyWhenForced) {
  std::filesystem::create_symlink("/proc/self/fd/1", folder_ / "link.npy");
  const std::string out = (folder_ / "out.npy").string();
  const auto refused = scan_to("link.npy", {}, {.out_file = out});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("link.npy (a link to " + out + "): there is such a file already"));
  EXPECT_EQ(text_of("out.npy"), "");
  EXPECT_EQ(scan_to("link.npy", {"--force"}, {.out_file = out}).exit_code, 0);
  EXPECT_EQ(data_of<std::int32_t>("out.npy", 3), (std::vector<std::int32_t>{1, 3, 6}));
}

TEST_F(ScanFiles, HaveNamesAsLongAsNamesAre) {
  const std::string name = std::string(251, 'a') + ".npy";
  EXPECT_EQ(scan_to(name).exit_code, 0);
  EXPECT_EQ(data_of<std::int32_t>(name, 3), (std::vector<std::int32_t>{1, 3, 6}));
  const auto longer = scan_to("a" + name);
  EXPECT_EQ(longer.exit_code, 2);
  EXPECT_THAT(longer.err, HasSubstr("cannot be written (File name too long)"));
}

TEST_F(ScanFiles, AreNotStandardOutput) {
  const auto refused = scan_to("-");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("-: arrays are not written to standard output: name an .npy file"));
}

TEST_F(ScanCommand, ComparesAllMethods) {
  const auto check = [&]<typename T>(const std::vector<T>& values, const std::vector<std::string>& flags,
                                     const std::vector<T>& expected, double tolerance) {
    write("in.npy", values);
    std::vector<std::string> arguments = {"in.npy", "-o", "out.npy", "--method", "all", "--json", "--force"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const auto outcome = scan(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["agree"], true);
    EXPECT_EQ(json["output"], "out.npy");
    EXPECT_EQ(json["wave_size"], test::expected_wave_size());
    ASSERT_EQ(json["methods"].size(), 3U);
    EXPECT_EQ(json["methods"][0]["method"], "groupshared");
    EXPECT_EQ(json["methods"][1]["method"], "shuffle");
    EXPECT_EQ(json["methods"][2]["method"], "wave_intrinsics");
    const auto results = data_of<T>("out.npy", values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(results[i]), static_cast<double>(expected[i]), tolerance) << i;
    }
  };
  constexpr std::size_t count = 20011;
  std::vector<std::int32_t> integers(count);
  std::vector<float> floats(count);
  for (std::size_t i = 0; i < count; ++i) {
    integers[i] = static_cast<std::int32_t>(i % 1000) - 450;
    floats[i] = static_cast<float>(integers[i]) * 0.01F;
  }
  std::vector<std::int32_t> sums(count);
  std::partial_sum(integers.begin(), integers.end(), sums.begin());
  check(integers, {}, sums, 0.0);
  std::vector<float> float_sums(count);
  for (std::size_t i = 1; i < count; ++i) {
    float_sums[i] = static_cast<float>(sums[i - 1]) * 0.01F;
  }
  check(floats, {"--exclusive"}, float_sums, 0.1);
}

TEST_F(ScanCommand, PrintsATableOfAllMethods) {
  write("in.npy", std::vector<std::int32_t>{1, 2, 3});
  const auto outcome = scan({"in.npy", "-o", "out.npy", "--method", "all", "--op", "max"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("\ngroupshared "), HasSubstr("\nshuffle "), HasSubstr("\nwave_intrinsics "),
                    HasSubstr("ran as shuffle: HLSL has no prefix intrinsic"), HasSubstr("\nall methods agree\n")));
}

TEST_F(ScanCommand, LeavesNothingBehindAfterErrors) {
  write("in.npy", std::vector<std::int32_t>{1, 2, 3});
  const auto nowhere = scan({"in.npy", "-o", "missing/out.npy"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("missing/out.npy: there is no folder missing: make it first"));
  EXPECT_EQ(scan({"in.npy", "-o", "."}).exit_code, 2);
  EXPECT_EQ(scan({"in.npy", "-o", ""}).exit_code, 2);
  EXPECT_EQ(scan({"in.npy"}).exit_code, 2);
  EXPECT_EQ(scan({"nothing.npy", "-o", "out.npy"}).exit_code, 2);
  EXPECT_EQ(scan({"in.npy", "-o", "out.npy", "--op", "and"}).exit_code, 2);
  EXPECT_EQ(files(), (std::vector<std::string>{"in.npy", "stderr", "stdout"}));  // the last two are this test's
}

TEST_F(ScanCommand, RefusesArraysThatLieByColumns) {
  const std::vector<float> values(6, 1.0F);
  std::ofstream(folder_ / "columns.npy", std::ios::binary)
      << test::npy_header(test::npy_dictionary("'<f4'", "(2, 3)", true)) << test::bytes_of(values);
  const auto outcome = scan({"columns.npy", "-o", "out.npy"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("columns.npy: its elements lie by columns"), HasSubstr("ascontiguousarray")));
}

}  // namespace
}  // namespace crosslane::cli
