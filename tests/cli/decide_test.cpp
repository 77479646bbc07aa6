// `crosslane decide`: the steps, what is stored and what is not, and that the other verbs obey what is stored.
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"
#include "cli/two_arrays_job.hpp"

namespace crosslane::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Decide : public test::ProgramTest {
 protected:
  test::Outcome decide(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "decide");
    arguments.insert(arguments.end(), {"--device", "machine", "--max-time", "0.05", "--size", "4096"});
    return run(arguments);
  }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    test::write_file(folder_ / name, text);
  }

  // A decision for the wave machine, as a hand would write it: the program itself stores none for it.
  void store(const std::string& answer, const std::string& driver = CROSSLANE_VERSION) const {
    write("config/crosslane/decisions.json", R"({"kind": "crosslane decisions", "schema_version": 1, "decisions": [
      {"algorithm": "reduce", "decision": ")" + answer +
                                                 R"(", "reason": "by hand", "gain": 0.01, "threshold": 0.2,
       "device_name": "Crosslane wave machine", "device_uuid": "63726f73736c616e65206d616368696e",
       "driver_version": ")" + driver + R"(", "wave_size": 32, "made": "2026-12-01", "crosslane": "0.1.0"}]})");
  }

  std::string automatic_method() {
    write("a.npy", test::npy_bytes(std::vector<std::uint32_t>{1, 2, 3}));
    const auto json = run({"reduce", "a.npy", "--device", "machine", "--json"}).json();
    return json["methods"][0]["ran"].get<std::string>();
  }
};

TEST_F(Decide, WalksTheStepsAndStoresNothingOfTheWaveMachine) {
  const auto outcome = decide({"reduce", "--json"});
  EXPECT_EQ(outcome.exit_code, 0);
  const auto json = outcome.json();
  EXPECT_THAT(json["decision"].get<std::string>(), testing::AnyOf("shuffle", "groupshared", "ambiguous"));
  ASSERT_EQ(json["steps"].size(), 6U);
  std::vector<std::string> names;
  for (const auto& step : json["steps"]) {
    names.push_back(step["name"].get<std::string>());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"wave-size", "registers", "lane-reads", "compiler", "results", "gain"}));
  EXPECT_EQ(json["steps"][0]["passed"], true);
  EXPECT_EQ(json["steps"][1]["passed"], nullptr) << "nobody knows the registers of the wave machine";
  EXPECT_EQ(json["steps"][2]["passed"], true) << json["steps"][2];
  EXPECT_EQ(json["steps"][4]["passed"], true);
  EXPECT_TRUE(json["gain"]["median"].is_number());
  EXPECT_LE(json["gain"]["low"], json["gain"]["high"]);
  EXPECT_EQ(json["threshold"], 0.2);
  EXPECT_EQ(json["software"], true);
  EXPECT_EQ(json["stored"], false);
  EXPECT_EQ(json["decisions"].size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "config"));
}

TEST_F(Decide, GoesThroughAllAlgorithms) {
  const auto outcome = decide({});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* const algorithm : {"reduce: ", "scan: ", "compact: ", "fft: ", "blur: "}) {
    EXPECT_THAT(outcome.out, HasSubstr(algorithm));
  }
  EXPECT_THAT(outcome.out, HasSubstr("not stored: the device computes on the processor"));
}

TEST_F(Decide, TakesThresholdsInPercent) {
  EXPECT_EQ(decide({"reduce", "--threshold", "35%", "--json"}).json()["threshold"], 0.35);
  EXPECT_EQ(decide({"reduce", "--threshold", "lots"}).exit_code, 2);
  EXPECT_EQ(decide({"reduce", "--threshold", "-5%"}).exit_code, 2);
}

TEST_F(Decide, AutomaticMethodsObeyWhatIsStored) {
  EXPECT_EQ(automatic_method(), "shuffle");
  store("groupshared");
  EXPECT_EQ(automatic_method(), "groupshared");
  store("ambiguous");
  EXPECT_EQ(automatic_method(), "shuffle");
  const auto list = run({"decide", "--list"});
  EXPECT_THAT(list.out, AllOf(HasSubstr("reduce"), HasSubstr("ambiguous"), HasSubstr("+1.0 %")));
  EXPECT_EQ(run({"decide", "--list", "--json"}).json()["decisions"].size(), 1U);
}

TEST_F(Decide, AsksForAFreshOneAfterADriverUpdate) {
  store("groupshared", "0.0.1");
  EXPECT_EQ(automatic_method(), "shuffle");
  const auto outcome = run({"reduce", "a.npy", "--device", "machine"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("made with driver 0.0.1"), HasSubstr("crosslane decide reduce")));
}

TEST_F(Decide, ForgetsAndTellsOfDamagedFiles) {
  store("groupshared");
  EXPECT_EQ(run({"decide", "scan", "--forget", "--json"}).json()["forgotten"], 0);
  EXPECT_EQ(run({"decide", "reduce", "--forget", "--json"}).json()["forgotten"], 1);
  EXPECT_EQ(automatic_method(), "shuffle");
  EXPECT_THAT(run({"decide", "--list"}).out, HasSubstr("no decisions"));
  write("config/crosslane/decisions.json", R"({"kind": "something else"})");
  EXPECT_EQ(automatic_method(), "shuffle");
  const auto outcome = run({"reduce", "a.npy", "--device", "machine"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("decisions are ignored"), HasSubstr("decisions.json")));
  const auto json = run({"reduce", "a.npy", "--device", "machine", "--json"}).json();
  EXPECT_THAT(json["methods"][0]["note"].get<std::string>(), HasSubstr("decisions are ignored"));
  EXPECT_THAT(run({"decide", "--list", "--json"}).json()["notes"][0].get<std::string>(), HasSubstr("are ignored"));
  const auto forgotten = run({"decide", "--forget", "--json"}).json();
  EXPECT_EQ(forgotten["forgotten"], 0);
  EXPECT_THAT(forgotten["notes"][0].get<std::string>(), HasSubstr("is replaced by an empty one"));
  EXPECT_TRUE(run({"decide", "--list", "--json"}).json()["notes"].empty());
}

TEST_F(Decide, SaysWhichDecisionAMethodCameFrom) {
  store("groupshared");
  const auto note = [&](const std::string& method) {
    return run({"reduce", "a.npy", "--device", "machine", "--json", "--method", method})
        .json()["methods"][0]["note"]
        .get<std::string>();
  };
  automatic_method();
  EXPECT_EQ(note("automatic"), "chosen automatically; by the decision of 2026-12-01 ('crosslane decide --list')");
  EXPECT_EQ(note("shuffle"), "");
  write("config/crosslane/decisions.json", "damaged");
  EXPECT_EQ(note("shuffle"), "") << "nobody asked what is decided";
  EXPECT_EQ(run({"reduce", "a.npy", "--device", "machine", "--method", "all"}).err, "");
}

TEST_F(Decide, ListsAndForgetsAlone) {
  store("groupshared");
  EXPECT_THAT(run({"decide", "scan", "--list"}).out, HasSubstr("no decisions"));
  EXPECT_EQ(run({"decide", "reduce", "--list", "--json"}).json()["decisions"].size(), 1U);
  for (const std::string flag : {"--list", "--forget"}) {
    const auto outcome = run({"decide", flag, "--size", "5"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--size: means nothing beside " + flag));
  }
  EXPECT_EQ(run({"decide", "--list", "--json"}).json()["decisions"].size(), 1U) << "nothing was forgotten";
}

TEST_F(Decide, FindsReadsOfLanesThatAreNotThereInAShader) {
  const std::string head = R"(
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);
)";
  write("a.hlsl", head + R"(
groupshared float values[64];
[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID, uint i : SV_GroupIndex) {
  values[i] = In[thread.x];
  GroupMemoryBarrierWithGroupSync();
  Out[thread.x] = values[i ^ 1];
})");
  write("b.hlsl", head + R"(
[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
  Out[thread.x] = WaveReadLaneAt(In[thread.x], WaveGetLaneIndex() ^ 1);
})");
  write("beyond.hlsl", head + R"(
[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
  Out[thread.x] = WaveReadLaneAt(In[thread.x], WaveGetLaneIndex() + 1);
})");
  write("job.yaml", crosslane::test::two_arrays_job(2));
  const auto good = run({"decide", "--a", "a.hlsl", "--b", "b.hlsl", "--job", "job.yaml", "--device", "machine",
                         "--max-time", "0.05", "--json"})
                        .json();
  EXPECT_EQ(good["steps"][2]["passed"], true) << good["steps"][2];
  EXPECT_EQ(good["steps"][3]["passed"], true) << good["steps"][3];
  const auto bad = run({"decide", "--a", "a.hlsl", "--b", "beyond.hlsl", "--job", "job.yaml", "--device", "machine",
                        "--max-time", "0.05", "--json"});
  EXPECT_EQ(bad.exit_code, 0) << "every answer is one";
  EXPECT_EQ(bad.json()["decision"], "groupshared");
  EXPECT_EQ(bad.json()["steps"][2]["passed"], false);
  EXPECT_THAT(bad.json()["steps"][2]["found"].get<std::string>(), HasSubstr("lane-out-of-range"));
  EXPECT_THAT(bad.json()["steps"][2]["reason"].get<std::string>(),
              HasSubstr("defining CROSSLANE_CHECKED was tried and does not help"));
  // For people: no line is longer than a table's.
  const auto text = run({"decide", "--a", "a.hlsl", "--b", "beyond.hlsl", "--job", "job.yaml", "--device", "machine",
                         "--max-time", "0.05"});
  std::istringstream lines(text.out);
  for (std::string line; std::getline(lines, line) && !line.starts_with("decision:");) {
    EXPECT_LE(line.size(), 125U) << line;
  }
}

// Lane 30 reads lane 31, which is not active there; with bounds it gets its own value back.
TEST_F(Decide, TriesBoundsAndMeasuresWithThem) {
  const std::string head = R"(
#include "crosslane/shuffle.hlsli"
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);
)";
  write("a.hlsl", head + R"(
groupshared float values[64];
[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID, uint i : SV_GroupIndex) {
  values[i] = In[thread.x];
  GroupMemoryBarrierWithGroupSync();
  Out[thread.x] = values[i % 32 < 30 ? i + 1 : i];
})");
  write("b.hlsl", head + R"(
[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
  const uint lane = WaveGetLaneIndex();
  const float here = In[thread.x];
  float there = here;
  if (lane != 31) {
    there = WaveShuffleDown<1>(here);
  }
  Out[thread.x] = there;
})");
  write("job.yaml", crosslane::test::two_arrays_job(2));
  const auto json = run({"decide", "--a", "a.hlsl", "--b", "b.hlsl", "--job", "job.yaml", "--device", "machine",
                         "--max-time", "0.05", "--json"})
                        .json();
  const auto& step = json["steps"][2];
  EXPECT_EQ(step["passed"], true) << step;
  EXPECT_THAT(step["reason"].get<std::string>(), HasSubstr("with CROSSLANE_CHECKED defined"));
  EXPECT_EQ(json["steps"][4]["passed"], true) << json["steps"][4];
  EXPECT_TRUE(json["gain"]["median"].is_number());
}

}  // namespace
}  // namespace crosslane::cli
