// `crosslane compact` on files, against the dumbest correct code.
#include <sys/stat.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/array_command.hpp"
#include "cli/npy_bytes.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CompactCommand : public test::ArrayCommand {
 protected:
  CompactCommand() : ArrayCommand("compact") {}
};

TEST_F(CompactCommand, KeepsWhatAConditionSays) {
  std::vector<float> values(100003);
  std::vector<float> expected;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i % 7) - 3.5F;
    if (values[i] > 0.5F) {
      expected.push_back(values[i]);
    }
  }
  write("in.npy", values);
  for (const std::string method : {"automatic", "groupshared", "shuffle", "wave_intrinsics"}) {
    const auto outcome =
        run_on_device({"in.npy", "-o", method + ".npy", "--where", "> 0.5", "--method", method, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["type"], "f32");
    EXPECT_EQ(json["count"], values.size());
    EXPECT_EQ(json["kept"], expected.size());
    EXPECT_EQ(json["where"], "> 0.5");
    EXPECT_TRUE(json["flags"].is_null());
    EXPECT_EQ(json["methods"].size(), 1U);
    EXPECT_EQ(data_of<float>(method + ".npy", expected.size()), expected);
    EXPECT_THAT(text_of(method + ".npy"), HasSubstr("'shape': (" + std::to_string(expected.size()) + ",)"));
  }
}

TEST_F(CompactCommand, KeepsNonzeroAndPositiveValuesOfEveryType) {
  const auto check = [&]<typename T>(const std::vector<T>& values, const std::vector<T>& nonzero,
                                     const std::vector<T>& positive) {
    write("in.npy", values);
    ASSERT_EQ(run_on_device({"in.npy", "-o", "a.npy", "--where", "nonzero", "--force"}).exit_code, 0);
    EXPECT_EQ(data_of<T>("a.npy", nonzero.size()), nonzero);
    ASSERT_EQ(run_on_device({"in.npy", "-o", "a.npy", "--where", "positive", "--force"}).exit_code, 0);
    EXPECT_EQ(data_of<T>("a.npy", positive.size()), positive);
  };
  check(std::vector<std::uint32_t>{0, 1, 0xFFFFFFFFU}, {1, 0xFFFFFFFFU}, {1, 0xFFFFFFFFU});
  check(std::vector<std::int32_t>{0, 1, -1}, {1, -1}, {1});
  check(std::vector<float>{0, 1, -1, -0.0F}, {1, -1}, {1});
  check(std::vector<std::uint64_t>{0, 1ULL << 40U, 7}, {1ULL << 40U, 7}, {1ULL << 40U, 7});
  check(std::vector<std::int64_t>{0, -(1LL << 40), 7}, {-(1LL << 40), 7}, {7});
  check(std::vector<double>{0, 1e-320, -1}, {1e-320, -1}, {1e-320});
}

TEST_F(CompactCommand, KeepsWhatFlagsSay) {
  const std::vector<std::uint64_t> values = {10, 11, 12, 13, 14};
  write("in.npy", values);
  write("words.npy", std::vector<std::int32_t>{0, -1, 0, 5, 0});
  std::ofstream(folder_ / "bools.npy", std::ios::binary)
      << test::npy_header(test::npy_dictionary("'|b1'", "(5,)")) << std::string("\0\1\0\1\0", 5);
  for (const std::string flags : {"words.npy", "bools.npy"}) {
    const auto outcome = run_on_device({"in.npy", "-o", "out.npy", "--flags", flags, "--force"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("2 of 5 u64 elements of in.npy kept: elements to out.npy"));
    EXPECT_EQ(data_of<std::uint64_t>("out.npy", 2), (std::vector<std::uint64_t>{11, 13}));
  }
  ASSERT_EQ(run_on_device({"in.npy", "-o", "out.npy", "--flags", "bools.npy", "--partition", "--force"}).exit_code, 0);
  EXPECT_EQ(data_of<std::uint64_t>("out.npy", 5), (std::vector<std::uint64_t>{11, 13, 10, 12, 14}));
  ASSERT_EQ(run_on_device({"in.npy", "-o", "out.npy", "--flags", "bools.npy", "--indices", "--force"}).exit_code, 0);
  EXPECT_EQ(data_of<std::uint32_t>("out.npy", 2), (std::vector<std::uint32_t>{1, 3}));
}

TEST_F(CompactCommand, TakesFlagsOfAnyShape) {
  write("in.npy", std::vector<float>{1, 2, 3, 4, 5, 6});
  std::ofstream(folder_ / "flags.npy", std::ios::binary)
      << test::npy_header(test::npy_dictionary("'|b1'", "(2, 3)")) << std::string("\1\0\0\1\1\0", 6);
  ASSERT_EQ(run_on_device({"in.npy", "-o", "out.npy", "--flags", "flags.npy"}).exit_code, 0);
  EXPECT_EQ(data_of<float>("out.npy", 3), (std::vector<float>{1, 4, 5}));
}

TEST_F(CompactCommand, MayReplaceWhatItReads) {
  write("in.npy", std::vector<std::uint32_t>{5, 6, 7});
  write("flags.npy", std::vector<std::uint32_t>{1, 0, 1});
  ASSERT_EQ(run_on_device({"in.npy", "-o", "flags.npy", "--flags", "flags.npy", "--force"}).exit_code, 0);
  EXPECT_EQ(data_of<std::uint32_t>("flags.npy", 2), (std::vector<std::uint32_t>{5, 7}));
  ASSERT_EQ(run_on_device({"in.npy", "-o", "in.npy", "--where", "> 5", "--force"}).exit_code, 0);
  EXPECT_EQ(data_of<std::uint32_t>("in.npy", 2), (std::vector<std::uint32_t>{6, 7}));
}

TEST_F(CompactCommand, ComparesAllMethods) {
  std::vector<std::uint32_t> values(20011);
  std::vector<std::uint32_t> kept;
  std::vector<std::uint32_t> places;
  std::vector<std::uint32_t> rest;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    values[i] = i * 2654435761U;
    (values[i] > 1'000'000'000 ? kept : rest).push_back(values[i]);
    if (values[i] > 1'000'000'000) {
      places.push_back(i);
    }
  }
  write("in.npy", values);
  const auto compact_by_all = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> arguments = {"in.npy",   "-o",  "out.npy", "--where", "> 1000000000",
                                          "--method", "all", "--json",  "--force"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const auto outcome = run_on_device(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["agree"], true);
    EXPECT_EQ(json["kept"], kept.size());
    EXPECT_EQ(json["methods"].size(), 3U);
    EXPECT_EQ(json["wave_size"], test::expected_wave_size());
  };
  compact_by_all({});
  EXPECT_EQ(data_of<std::uint32_t>("out.npy", kept.size()), kept);
  compact_by_all({"--indices"});
  EXPECT_EQ(data_of<std::uint32_t>("out.npy", places.size()), places);
  compact_by_all({"--partition"});
  kept.insert(kept.end(), rest.begin(), rest.end());
  EXPECT_EQ(data_of<std::uint32_t>("out.npy", kept.size()), kept);
}

TEST_F(CompactCommand, PrintsATableOfAllMethods) {
  write("in.npy", std::vector<std::uint32_t>{1, 0, 3});
  const auto outcome = run_on_device({"in.npy", "-o", "out.npy", "--where", "nonzero", "--method", "all"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("2 of 3 u32 elements of in.npy kept"), HasSubstr("\ngroupshared "),
                    HasSubstr("\nshuffle "), HasSubstr("\nwave_intrinsics "), HasSubstr("\nall methods agree\n")));
}

TEST_F(CompactCommand, OfNoElementsIsAnArrayOfNone) {
  write("in.npy", std::vector<float>{});
  ASSERT_EQ(run_on_device({"in.npy", "-o", "out.npy", "--where", "nonzero"}).exit_code, 0);
  EXPECT_THAT(text_of("out.npy"), HasSubstr("'shape': (0,)"));
  write("none.npy", std::vector<float>{1, 2});
  ASSERT_EQ(run_on_device({"none.npy", "-o", "out.npy", "--where", "< 0", "--force"}).exit_code, 0);
  EXPECT_THAT(text_of("out.npy"), HasSubstr("'shape': (0,)"));
}

TEST_F(CompactCommand, RefusesWhatItCannotDoAndLeavesNothingBehind) {
  write("in.npy", std::vector<std::uint32_t>{1, 2, 3});
  write("two.npy", std::vector<std::uint32_t>{1, 2});
  write("floats.npy", std::vector<float>{1, 0, 1});
  const auto refusal = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"in.npy", "-o", "out.npy"});
    const auto outcome = run_on_device(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(refusal({"--where", "large"}),
              HasSubstr("--where \"large\" is no condition: use nonzero, positive, or one of"));
  EXPECT_THAT(refusal({"--where", "> 0.5"}), HasSubstr("--where \"> 0.5\": 0.5 is no whole number"));
  EXPECT_THAT(refusal({"--flags", "two.npy"}),
              HasSubstr("two.npy: 2 flags for the 3 elements of in.npy: give one flag for each element"));
  EXPECT_THAT(
      refusal({"--flags", "floats.npy"}),
      AllOf(HasSubstr("floats.npy: flags of type float32 ('<f4') are not supported"), HasSubstr("astype(bool)")));
  EXPECT_THAT(refusal({"--flags", "missing.npy"}), HasSubstr("missing.npy: there is no such file"));
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const auto pipe = run_on_device({"in.npy", "-o", "pipe", "--force", "--where", "nonzero"});
  EXPECT_EQ(pipe.exit_code, 2);
  EXPECT_THAT(pipe.err, HasSubstr("pipe: this is not a regular file: name an .npy file"));
  refusal({});
  refusal({"--where", "nonzero", "--flags", "two.npy"});
  EXPECT_EQ(files(), (std::vector<std::string>{"floats.npy", "in.npy", "pipe", "stderr", "stdout", "two.npy"}));
}

}  // namespace
}  // namespace crosslane::cli
