#include "crosslane/decisions.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "algorithms/method_choice.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::fails;
using test::must;

DeviceInfo device() {
  DeviceInfo info;
  info.name = "GPU \"X\"";
  info.uuid = "0011";
  info.driver_version = "1.2";
  info.wave_sizes = {32, 32, 32};
  info.features.wave_shuffle = true;
  return info;
}

StoredDecision decision(const std::string& algorithm, const std::string& answer) {
  return {"0011", "GPU \"X\"", "1.2", 32, algorithm, answer, "because", 0.2, 0.1, "2026-12-01", "0.1.0"};
}

class Decisions : public testing::Test {
 protected:
  Decisions() { std::filesystem::create_directories(folder_); }
  ~Decisions() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "crosslane-decisions-test";
  std::filesystem::path file_ = folder_ / "decisions.json";
};

TEST_F(Decisions, AreReadAsTheyWereWritten) {
  StoredDecisions stored({decision("reduce", "groupshared"), decision("scan", "ambiguous")});
  write(stored.text());
  const StoredDecisions read = must(StoredDecisions::read(file_));
  ASSERT_EQ(read.all().size(), 2U);
  EXPECT_EQ(read.text(), stored.text());
  EXPECT_EQ(read.decide(device(), "reduce"), Method::groupshared);
  EXPECT_EQ(read.decide(device(), "scan"), std::nullopt) << "the default is taken";
  EXPECT_EQ(read.decide(device(), "fft"), std::nullopt);
}

TEST_F(Decisions, OfNoFileAreNone) {
  EXPECT_TRUE(must(StoredDecisions::read(file_)).all().empty());
  EXPECT_TRUE(must(StoredDecisions::read({})).all().empty());
}

TEST_F(Decisions, OfDamagedAndForeignFilesAreRefused) {
  const std::string right = StoredDecisions({decision("reduce", "shuffle")}).text();
  for (const std::string& text :
       {std::string(), std::string("{"), right.substr(0, right.size() / 2), std::string("[1, 2]"),
        std::string(R"({"schema_version": 1, "devices": {}})"), std::string(100000, '['),
        std::string(R"({"kind": "crosslane decisions", "schema_version": 2, "decisions": []})"),
        std::string(R"({"kind": "crosslane decisions", "schema_version": 1, "decisions": [{}]})")}) {
    write(text);
    EXPECT_TRUE(fails(StoredDecisions::read(file_), ErrorCode::invalid_input, "decisions.json")) << text.substr(0, 50);
  }
}

TEST_F(Decisions, HoldForOneDriverAlone) {
  const StoredDecisions stored({decision("reduce", "groupshared")});
  DeviceInfo updated = device();
  updated.driver_version = "1.3";
  EXPECT_EQ(stored.decide(updated, "reduce"), std::nullopt);
  EXPECT_NE(stored.find_outdated(updated, "reduce"), nullptr);
  EXPECT_EQ(stored.find_outdated(device(), "reduce"), nullptr);
  DeviceInfo other = device();
  other.uuid = "0022";
  EXPECT_EQ(stored.decide(other, "reduce"), std::nullopt);
  DeviceInfo narrow = device();
  narrow.wave_sizes.standard = 16;
  EXPECT_EQ(stored.decide(narrow, "reduce"), std::nullopt);
}

TEST_F(Decisions, TakeThePlaceOfEarlierOnes) {
  StoredDecisions stored({decision("reduce", "groupshared"), decision("scan", "shuffle")});
  stored.put(decision("reduce", "shuffle"));
  ASSERT_EQ(stored.all().size(), 2U);
  EXPECT_EQ(stored.decide(device(), "reduce"), Method::shuffle);
  StoredDecision newer = decision("reduce", "groupshared");
  newer.driver_version = "1.3";
  newer.device_uuid = "0012";
  stored.put(newer);
  EXPECT_EQ(stored.all().size(), 2U) << "that of the old driver is gone";
  EXPECT_EQ(stored.forget("scan"), 1U);
  EXPECT_EQ(stored.forget(""), 1U);
  EXPECT_TRUE(stored.all().empty());
}

TEST_F(Decisions, AreWhatAutomaticObeys) {
  const StoredDecisions stored({decision("reduce", "groupshared")});
  MethodRequest request;
  request.algorithm = "reduce";
  request.decisions = &stored;
  EXPECT_EQ(choose_method(device(), request).method, Method::groupshared);
  request.algorithm = "scan";
  EXPECT_EQ(choose_method(device(), request).method, Method::shuffle) << "the default at 32 lanes";
}

}  // namespace
}  // namespace crosslane
