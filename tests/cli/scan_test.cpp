// `crosslane scan` on files, against the dumbest correct code.
#include <cstdint>
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
  // Its own input too.
  EXPECT_EQ(scan({"in.npy", "-o", "in.npy", "--force"}).exit_code, 0);
  EXPECT_EQ(data_of<std::int32_t>("in.npy", 3), (std::vector<std::int32_t>{1, 3, 6}));
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
