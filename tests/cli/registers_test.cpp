// `crosslane registers`: what Mesa's compiler tells for AMD without the hardware, and what is refused.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Registers : public test::ProgramTest {
 protected:
  Registers() {
    test::write_file(folder_ / "sum.comp", R"(#version 450
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Values { float values[]; };
shared float parts[64];
void main() {
  float value = values[gl_GlobalInvocationID.x];
  value += subgroupShuffleDown(value, 1);
  parts[gl_LocalInvocationIndex] = value;
  barrier();
  values[gl_GlobalInvocationID.x] = parts[gl_LocalInvocationIndex ^ 1];
})");
  }

  // True, and the test skipped, where Mesa's driver is not installed.
  static bool lacks_radv() {
    std::error_code error;
    return std::ranges::none_of(std::filesystem::directory_iterator("/usr/share/vulkan/icd.d", error),
                                [](const std::filesystem::directory_entry& entry) {
                                  return entry.path().filename().string().starts_with("radeon_icd");
                                });
  }

  test::Outcome registers(std::vector<std::string> arguments, const test::RunOptions& options = {}) {
    arguments.insert(arguments.begin(), {"registers", "sum.comp"});
    return run(arguments, options);
  }
};

TEST_F(Registers, TellsOfAmdAtBothWaveSizesWithoutTheHardware) {
  if (lacks_radv()) {
    GTEST_SKIP() << "Mesa's RADV is not installed";
  }
  const auto json = registers({"--amd", "navi21", "--json"}).json();
  EXPECT_EQ(json["device"]["vendor"], "AMD");
  EXPECT_EQ(json["shuffles"], 1);
  ASSERT_EQ(json["uses"].size(), 2U) << json;
  EXPECT_EQ(json["uses"][0]["wave_size"], 32);
  EXPECT_EQ(json["uses"][1]["wave_size"], 64);
  for (const auto& use : json["uses"]) {
    EXPECT_GT(use["registers"], 0);
    EXPECT_EQ(use["spilled"], 0);
    EXPECT_GT(use["waves_at_a_time"], 0.0);
    for (const auto& statistic : use["statistics"]) {
      EXPECT_FALSE(statistic["value"].is_number_float()) << statistic << ": all of RADV's are whole numbers";
    }
  }
  EXPECT_GE(json["uses"][0]["groupshared_bytes"], 256);
  const auto one = registers({"--amd", "navi21", "--wave-size", "64"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, AllOf(HasSubstr("NAVI21"), HasSubstr("with waves of 64 lanes"),
                             testing::Not(HasSubstr("with waves of 32 lanes"))));
}

TEST_F(Registers, RefusesChipsThatAreNone) {
  if (lacks_radv()) {
    GTEST_SKIP() << "Mesa's RADV is not installed";
  }
  const auto unknown = registers({"--amd", "navi999", "--json"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.json()["error"]["message"].get<std::string>(), HasSubstr("--amd navi999: Mesa's RADV stops"));
  const auto wave = registers({"--amd", "navi21", "--wave-size", "16"});
  EXPECT_EQ(wave.exit_code, 2);
  EXPECT_THAT(wave.err, HasSubstr("waves of 16 lanes"));
}

TEST_F(Registers, TellsWhereMesaIsMissing) {
  if (std::filesystem::exists("/etc/vulkan/icd.d/radeon_icd.x86_64.json")) {
    GTEST_SKIP() << "it is found in /etc, which no variable hides";
  }
  const auto outcome = registers({"--amd", "navi21"}, {.environment = {{"XDG_DATA_DIRS", folder_.string()}}});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("--amd navi21: Mesa's driver RADV is not installed: install the package"));
}

TEST_F(Registers, RefusesBadUse) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& error) {
    const auto outcome = registers(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("crosslane: error: " + error));
  };
  refused({"--amd", "NAVI 21"}, "--amd 'NAVI 21': name a chip in small letters");
  refused({"--amd", "navi21", "--device", "vulkan:0"}, "--device excludes --amd");
  refused({"--include", "nodir"}, "--include nodir: there is no such folder");
  for (const std::string flag : {"--entry", "--profile", "--amd"}) {
    refused({flag, ""}, flag + ": there is no value");
  }
  refused({"--device", "machine"}, "machine (Crosslane wave machine) does not tell");
}

}  // namespace
}  // namespace crosslane::cli
