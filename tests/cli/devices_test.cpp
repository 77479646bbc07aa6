// `crosslane devices`, with and without --verify.
#include <filesystem>
#include <fstream>
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
using testing::IsEmpty;
using testing::StartsWith;

class Devices : public test::ProgramTest {
 protected:
  std::filesystem::path store() const { return folder_ / "cache" / "crosslane" / "verified.json"; }

  nlohmann::json read_store() const {
    std::ifstream stream(store());
    return nlohmann::json::parse(stream, nullptr, false);
  }

  // Makes the program believe that every device it knows breaks a promise.
  void spoil_store() const {
    nlohmann::json json = read_store();
    for (auto& device : json["devices"]) {
      device["broken"] = {"shuffle-up"};
    }
    test::write_file(store(), json.dump());
  }

  void write_array() const { test::write_file(folder_ / "a.npy", test::npy_bytes(std::vector<std::uint32_t>{1, 2})); }
};

TEST_F(Devices, AreListedWithTheCompiler) {
  const nlohmann::json json = run({"devices", "--json"}).json();
  ASSERT_FALSE(json["devices"].empty());
  const nlohmann::json& device = json["devices"][0];
  EXPECT_EQ(device["id"], "vulkan:0");
  EXPECT_NE(device["name"], "");
  EXPECT_EQ(device["uuid"].get<std::string>().size(), 32U);
  EXPECT_TRUE(device["features"]["wave_shuffle"].is_boolean());
  EXPECT_TRUE(device["limits"].contains("groupshared_bytes"));
  EXPECT_TRUE(device["processors"].is_null() || device["processors"].get<int>() > 0) << device["processors"];
  EXPECT_TRUE(device["conformance"].is_null());
  EXPECT_TRUE(device["broken_promises"].is_null()) << "nothing is known before it was verified";
  EXPECT_EQ(device["wave_sizes"]["standard"], test::expected_wave_size());

  const nlohmann::json& compiler = json["compiler"];
  EXPECT_EQ(compiler["found"], true);
  EXPECT_EQ(compiler["fit"], true);
  EXPECT_NE(compiler["version"], "");
  EXPECT_NE(compiler["commit"], "");
  EXPECT_THAT(compiler["standing"].get<std::string>(), HasSubstr("1.8.2407"));
  EXPECT_FALSE(compiler["needs"].empty());
  EXPECT_FALSE(compiler["faults"].empty());
}

TEST_F(Devices, AreShownAsATable) {
  const test::Outcome text = run({"devices"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out, AllOf(StartsWith("Devices\n"), HasSubstr("vulkan:0"), HasSubstr("not verified"),
                              HasSubstr("Shader compiler"), HasSubstr("1.8.2407")));
}

TEST_F(Devices, TellWhyThereIsNoCompiler) {
  const test::RunOptions no_compiler = {.environment = {{"CROSSLANE_DXC", "/no/such/folder"}}};
  const test::Outcome text = run({"devices"}, no_compiler);
  EXPECT_EQ(text.exit_code, 0) << "devices do not need one";
  EXPECT_THAT(text.out, AllOf(HasSubstr("none: "), HasSubstr("/no/such/folder")));
  const nlohmann::json compiler = run({"devices", "--json"}, no_compiler).json()["compiler"];
  EXPECT_EQ(compiler["found"], false);
  EXPECT_EQ(compiler["error"]["code"], "compiler");
}

TEST_F(Devices, AreTheWaveMachineAloneWithoutADriver) {
  const test::RunOptions no_driver = {
      .environment = {{"VK_ICD_FILENAMES", "/none.json"}, {"VK_DRIVER_FILES", "/none.json"}}};
  const test::Outcome with_json = run({"devices", "--json"}, no_driver);
  EXPECT_EQ(with_json.exit_code, 0);
  ASSERT_EQ(with_json.json()["devices"].size(), 1U);
  EXPECT_EQ(with_json.json()["devices"][0]["id"], "machine");
  const nlohmann::json why = with_json.json()["without_devices"];
  ASSERT_EQ(why.size(), 1U);
  EXPECT_THAT(why[0]["message"].get<std::string>(), HasSubstr("apt install mesa-vulkan-drivers"));
  EXPECT_THAT(run({"devices"}, no_driver).out, HasSubstr("No Vulkan driver is installed"));
  EXPECT_TRUE(run({"devices", "--json"}).json()["without_devices"].empty());
}

TEST_F(Devices, AreVerifiedAndRemembered) {
  const test::Outcome verified = run({"devices", "--verify", "--json"});
  const nlohmann::json device = verified.json()["devices"][0];
  const nlohmann::json& conformance = device["conformance"];
  EXPECT_EQ(verified.exit_code, conformance["all_kept"].get<bool>() ? 0 : 1);
  EXPECT_TRUE(conformance["all_kept"].get<bool>()) << "the software driver of these tests keeps its promises";
  EXPECT_THAT(device["broken_promises"], IsEmpty());
  ASSERT_FALSE(conformance["promises"].empty());
  for (const nlohmann::json& promise : conformance["promises"]) {
    EXPECT_NE(promise["name"], "");
    EXPECT_NE(promise["description"], "");
    EXPECT_TRUE(promise["wave_size"].is_number_unsigned());
    EXPECT_EQ(promise["kept"].get<bool>(), promise["detail"].get<std::string>().empty()) << promise;
  }
  EXPECT_TRUE(conformance["observations"].is_array());
  EXPECT_THAT(run({"devices", "--json"}).json()["devices"][0]["broken_promises"], IsEmpty());
}

TEST_F(Devices, AreVerifiedAsATable) {
  const test::Outcome text = run({"devices", "--verify"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, AllOf(HasSubstr("promises kept"), HasSubstr("kept"), HasSubstr("shuffle-up")));
  EXPECT_THAT(text.err, AllOf(StartsWith("crosslane: verifying vulkan:0 ("), HasSubstr(") …\n")));
}

TEST_F(Devices, AreVerifiedOnceBeforeAutoChoosesOne) {
  write_array();
  EXPECT_FALSE(std::filesystem::exists(store()));
  const test::Outcome first = run({"reduce", "a.npy"});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_THAT(first.err,
              AllOf(StartsWith("crosslane: verifying machine ("), HasSubstr("once per version of its driver")));
  ASSERT_TRUE(std::filesystem::exists(store()));
  const auto written = std::filesystem::last_write_time(store());
  const test::Outcome second = run({"reduce", "a.npy"});
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_EQ(second.err, "");
  EXPECT_EQ(std::filesystem::last_write_time(store()), written) << "known devices are not verified again";
}

TEST_F(Devices, ThatBreakAPromiseAreNotChosenByAuto) {
  write_array();
  ASSERT_EQ(run({"reduce", "a.npy"}).exit_code, 0);
  spoil_store();
  ASSERT_EQ(run({"reduce", "a.npy"}).exit_code, 0) << "the next device is verified and chosen";
  spoil_store();
  const test::Outcome automatic = run({"reduce", "a.npy"});
  EXPECT_EQ(automatic.exit_code, 3);
  EXPECT_THAT(automatic.err, AllOf(HasSubstr("shuffle-up"), HasSubstr("vulkan:0"), HasSubstr("devices --verify")));
  EXPECT_EQ(run({"reduce", "a.npy", "--device", "vulkan:0"}).exit_code, 0) << "named, it is used all the same";
  EXPECT_THAT(run({"devices"}).out, HasSubstr("BROKEN"));
  EXPECT_EQ(run({"devices", "--verify"}).exit_code, 0) << "a new run replaces what was known";
  EXPECT_EQ(run({"reduce", "a.npy"}).exit_code, 0);
}

TEST_F(Devices, AreUsableWithoutAFolderForTheCache) {
  write_array();
  EXPECT_EQ(run({"reduce", "a.npy"}, {.environment = {{"XDG_CACHE_HOME", "/dev/null"}}}).exit_code, 0);
}

}  // namespace
}  // namespace crosslane::cli
