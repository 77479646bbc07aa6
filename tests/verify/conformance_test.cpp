// The software driver keeps its promises at every wave size; a device that lies about one thing is found to break the
// promise that is about that thing.
#include "verify/conformance.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <set>

#include "support/expected.hpp"
#include "support/test_device.hpp"
#include "verify/lying_device.hpp"
#include "verify/probe.hpp"
#include "verify/waves.hpp"

namespace crosslane::verify_tests {
namespace {

using conformance::Recording;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;

ConformanceReport verify_with(const Lies& lies) {
  LyingDevice liar(test::device(), lies);
  return test::must(verify(liar));
}

std::uint32_t lanes() { return test::device().info().wave_sizes.standard; }

std::set<std::string> broken(const ConformanceReport& report) {
  std::set<std::string> names;
  for (const Promise& promise : report.promises) {
    if (!promise.kept) {
      names.insert(promise.name);
    }
  }
  return names;
}

std::set<std::string> checked(const ConformanceReport& report) {
  std::set<std::string> names;
  for (const Promise& promise : report.promises) {
    names.insert(promise.name);
  }
  return names;
}

std::string detail_of(const ConformanceReport& report, std::string_view name) {
  for (const Promise& promise : report.promises) {
    if (promise.name == name && !promise.kept) {
      return promise.detail;
    }
  }
  return "kept, or not checked";
}

bool is_reduce_of_u32(const Records& records) { return records.shader.find("verify.reduce.u32") == 0; }

TEST(Conformance, HonestDeviceKeepsEveryPromise) {
  const auto report = test::must(verify(test::device()));
  for (const Promise& promise : report.promises) {
    EXPECT_TRUE(promise.kept) << promise.name << ": " << promise.detail;
    EXPECT_EQ(promise.detail, "") << promise.name;
    EXPECT_FALSE(promise.description.empty()) << promise.name;
    EXPECT_EQ(promise.wave_size, lanes()) << promise.name;
  }
  EXPECT_TRUE(report.all_kept());
  EXPECT_THAT(checked(report),
              IsSupersetOf({"lanes-run",     "wave-size",      "lane-index",     "early-return",  "first-lane",
                            "ballot",        "any-true",       "all-true",       "count-bits",    "prefix-count-bits",
                            "shuffle-up",    "shuffle-down",   "shuffle-xor",    "shuffle",       "rotate",
                            "broadcast",     "active-sum",     "active-min",     "active-max",    "active-product",
                            "prefix-sum",    "prefix-product", "active-bit-and", "active-bit-or", "active-bit-xor",
                            "reconvergence", "claimed-place"}));
}

TEST(Conformance, ObservationsAreToldAndNeverBroken) {
  const auto report = test::must(verify(test::device()));
  std::set<std::string> names;
  for (const Observation& observation : report.observations) {
    EXPECT_FALSE(observation.value.empty()) << observation.name;
    EXPECT_FALSE(observation.description.empty()) << observation.name;
    names.insert(observation.name);
  }
  EXPECT_THAT(names, IsSupersetOf({"linear-lanes", "num-subgroups", "subgroup-id", "denormals-f32"}));
}

TEST(Conformance, AnotherWaveSizeThanReportedIsFound) {
  const auto report = verify_with({.info = [](DeviceInfo& info) {
    for (std::uint32_t* size : {&info.wave_sizes.minimum, &info.wave_sizes.maximum, &info.wave_sizes.standard}) {
      *size *= 2;
    }
  }});
  EXPECT_THAT(broken(report), Contains("wave-size"));
  EXPECT_EQ(detail_of(report, "wave-size"),
            fmt::format("128 threads per group: the fullest wave has {} lanes, not {}", lanes(), 2 * lanes()));
}

TEST(Conformance, EverySizeThatCanBeAskedForIsChecked) {
  // The software driver takes any request and runs what it runs, so only one of the sizes is kept.
  const auto report = verify_with({.info = [](DeviceInfo& info) {
    info.features.wave_size_control = true;
    info.wave_sizes = {.minimum = 4, .maximum = 16, .standard = info.wave_sizes.standard};
  }});
  std::set<std::uint32_t> kept;
  std::set<std::uint32_t> not_kept;
  for (const Promise& promise : report.promises) {
    if (promise.name == "wave-size") {
      (promise.kept ? kept : not_kept).insert(promise.wave_size);
    }
  }
  EXPECT_EQ(kept, std::set{lanes()});
  EXPECT_EQ(not_kept.size(), 2U);
}

TEST(Conformance, WrongShuffleIsNamed) {
  constexpr std::uint32_t shuffle_up = 347;
  constexpr std::uint32_t shuffle_down = 348;
  const auto report = verify_with(
      {.compile = [](std::vector<std::uint32_t>& spirv) { replace_opcode(spirv, shuffle_up, shuffle_down); }});
  EXPECT_EQ(broken(report), std::set<std::string>{"shuffle-up"});
  EXPECT_THAT(detail_of(report, "shuffle-up"), HasSubstr("u32, full waves, distance 1: wave 0, lane 1: expected "));
}

TEST(Conformance, WrongReductionIsNamed) {
  constexpr std::uint32_t unsigned_minimum = 354;
  constexpr std::uint32_t unsigned_maximum = 357;
  const auto report = verify_with({.compile = [](std::vector<std::uint32_t>& spirv) {
    replace_opcode(spirv, unsigned_minimum, unsigned_maximum);
  }});
  EXPECT_EQ(broken(report), std::set<std::string>{"active-min"});
}

struct WaitCase {
  bool DeviceFeatures::*feature;
  std::string_view id;
  std::string_view shader;
  std::string_view whom;
};

class GroupsThatWait : public testing::TestWithParam<WaitCase> {};

TEST_P(GroupsThatWait, InVainAreFound) {
  const WaitCase& wait = GetParam();
  constexpr std::uint32_t victim = 4711;
  Lies lies{.info = [&](DeviceInfo& info) { info.features.*wait.feature = true; },
            .results =
                [&](const Records& records) {
                  if (records.shader == wait.shader) {
                    for (std::uint32_t group = 0; group < records.threads; ++group) {
                      records.at(0, group) = group == victim ? 0 : 1;
                    }
                  }
                }};
  EXPECT_EQ(detail_of(verify_with(lies), wait.id),
            fmt::format("1 of 8192 groups waited in vain for the one {} before them", wait.whom));
  lies.info = [&](DeviceInfo& info) { info.features.*wait.feature = false; };
  const auto report = verify_with(lies);
  EXPECT_TRUE(report.all_kept()) << "where it is no promise it is an observation";
  const auto seen = std::ranges::find(report.observations, wait.id, &Observation::name);
  ASSERT_NE(seen, report.observations.end());
  EXPECT_EQ(seen->value, "1 of 8192 waits failed");
}

INSTANTIATE_TEST_SUITE_P(
    Conformance, GroupsThatWait,
    testing::Values(WaitCase{&DeviceFeatures::group_progress, "group-progress", "verify.progress", "that began"},
                    WaitCase{&DeviceFeatures::group_order, "group-order", "verify.order", "numbered"}));

TEST(Conformance, OneWrongLaneIsFound) {
  constexpr std::uint32_t victim = 7;
  const auto report = verify_with({.results = [](const Records& records) {
    if (is_reduce_of_u32(records)) {
      records.at(conformance::slot::own, victim) ^= 1U;  // WaveActiveSum
    }
  }});
  EXPECT_EQ(broken(report), std::set<std::string>{"active-sum"});
  EXPECT_THAT(detail_of(report, "active-sum"), HasSubstr(fmt::format("u32, full waves: wave {}, lane {}: expected ",
                                                                     victim / lanes(), victim % lanes())));
}

TEST(Conformance, LanesThatNeverRunAreFound) {
  const auto report = verify_with({.results = [](const Records& records) {
    for (std::uint32_t thread = 0; thread < records.threads; ++thread) {
      if (records.at(conformance::slot::lane_index, thread) >= lanes() / 2) {
        for (std::uint32_t slot = 0; slot < records.values.size() / records.threads; ++slot) {
          records.at(slot, thread) = Recording::unwritten;
        }
      }
    }
  }});
  EXPECT_THAT(broken(report), IsSupersetOf({"lanes-run", "wave-size"}));
  EXPECT_EQ(detail_of(report, "lanes-run"), fmt::format("full waves: thread {} of group 0 wrote nothing", lanes() / 2));
}

TEST(Conformance, LanesNumberedTwiceAreFound) {
  const auto report = verify_with({.results = [](const Records& records) {
    for (std::uint32_t thread = 0; thread < records.threads; ++thread) {
      records.at(conformance::slot::lane_index, thread) %= lanes() / 2;
    }
  }});
  EXPECT_THAT(broken(report), Contains("lane-index"));
  EXPECT_THAT(detail_of(report, "lane-index"), HasSubstr("two lanes of wave 0 have number 0"));
}

TEST(Conformance, RefusedShaderBreaksItsPromisesAndTheRunGoesOn) {
  const auto report = verify_with({.refuse_pipeline = [](const std::string& shader) -> std::optional<Error> {
    if (shader.find("verify.reduce.i32") == 0) {
      return Error{ErrorCode::device, "the compiler ran out of registers", {"ErrorUnknown (-13)"}};
    }
    return std::nullopt;
  }});
  EXPECT_EQ(broken(report), (std::set<std::string>{"active-sum", "active-min", "active-max", "active-product",
                                                   "prefix-sum", "prefix-product"}));
  EXPECT_EQ(detail_of(report, "active-sum"),
            "the driver refused the shader verify.reduce.i32.128: the compiler ran out of registers: "
            "ErrorUnknown (-13)");
  EXPECT_THAT(checked(report), Contains("reconvergence"));
}

TEST(Conformance, DeviceThatIsLostBreaksWhatItDidNotRun) {
  int submissions = 0;
  const auto report = verify_with({.fail_submit = [&]() -> std::optional<Error> {
    constexpr int lost_after = 20;
    return ++submissions > lost_after ? std::optional(Error{ErrorCode::device, "the device was lost"}) : std::nullopt;
  }});
  EXPECT_FALSE(report.all_kept());
  EXPECT_THAT(broken(report), Contains("claimed-place"));
  EXPECT_THAT(detail_of(report, "claimed-place"), HasSubstr("the device was lost"));
}

TEST(Conformance, TypesThatTheDeviceLacksAreNotRun) {
  std::vector<std::string> shaders;
  const auto report = verify_with({.info =
                                       [](DeviceInfo& info) {
                                         info.features.int64 = false;
                                         info.features.float64 = false;
                                         info.features.int16 = false;
                                       },
                                   .refuse_pipeline = [&](const std::string& shader) -> std::optional<Error> {
                                     shaders.push_back(shader);
                                     return std::nullopt;
                                   }});
  EXPECT_TRUE(report.all_kept());
  for (const std::string& shader : shaders) {
    EXPECT_EQ(shader.find("64"), std::string::npos) << shader;
    EXPECT_EQ(shader.find("16"), std::string::npos) << shader;
  }
}

}  // namespace
}  // namespace crosslane::verify_tests
