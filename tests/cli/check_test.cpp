// `crosslane check` as users run it: exit codes, text, JSON, flags.
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"

namespace crosslane::cli {
namespace {

using testing::HasSubstr;

constexpr std::string_view head =
    "#version 450\n"
    "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
    "layout(local_size_x = 64) in;\n"
    "layout(binding = 0) buffer Out { uint words[]; };\n"
    "shared uint tile[64];\n"
    "void main() {\n"
    "  const uint i = gl_LocalInvocationIndex;\n";

constexpr std::string_view right = "  tile[i] = i;\n  barrier();\n  words[i] = tile[63 - i];\n}\n";
constexpr std::string_view racy = "  tile[i] = i; barrier();\n  tile[i] = 2 * i;\n  words[i] = tile[i ^ 1];\n}\n";
constexpr std::string_view sized = "  words[i] = subgroupAdd(1);\n}\n";

class Check : public test::ProgramTest {
 protected:
  test::Outcome check(std::string_view body, std::vector<std::string> flags = {}) {
    test::write_file(folder_ / "a.comp", std::string(head) + std::string(body));
    flags.insert(flags.begin(), {"check", "a.comp", "--size", "Out=256"});
    return run(flags);
  }
};

TEST_F(Check, OfARightShaderIsSilent) {
  const auto outcome = check(right);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("a.comp: clean: "));
  EXPECT_THAT(outcome.out, HasSubstr("at wave size 4, 8, 16, 32, 64, 128"));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Check, NamesFaultsWithTheirLines) {
  const auto outcome = check(racy, {"--wave-sizes", "64"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("error: groupshared-race: lane "));
  EXPECT_THAT(outcome.out, HasSubstr("a.comp:10: reads groupshared 'tile'\n      words[i] = tile[i ^ 1];"));
  EXPECT_THAT(outcome.out, HasSubstr("a.comp:9: writes groupshared 'tile'\n      tile[i] = 2 * i;"));
  EXPECT_THAT(outcome.out, HasSubstr("hint: "));
}

TEST_F(Check, NamesLinesOfSourcesForTheArticlesProfile) {
  test::write_file(
      folder_ / "a.hlsl",
      "RWStructuredBuffer<uint> Out;\ngroupshared uint tile[64];\n[numthreads(64, 1, 1)]\n"
      "void main(uint i : SV_GroupIndex) {\n  tile[i] = i;\n  Out[i] = WaveShuffleUp(tile[63 - i], 0);\n}\n");
  const auto outcome = run({"check", "a.hlsl", "--profile", "cs_6_13", "--size", "Out=256", "--wave-sizes", "32"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("a.hlsl:5:3: writes groupshared 'tile'\n      tile[i] = i;"));
}

TEST_F(Check, RulesDecideHowGraveItIs) {
  const auto outcome = check(racy, {"--wave-sizes", "64", "--rules", "d3d12"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("warning: groupshared-race"));
}

TEST_F(Check, AsJson) {
  const auto outcome = check(racy, {"--wave-sizes", "4,64", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  const auto json = outcome.json();
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["verdict"], "findings");
  const auto& finding = json["findings"][0];
  EXPECT_EQ(finding["id"], "groupshared-race");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["wave_sizes"], nlohmann::json({4, 64}));
  EXPECT_THAT(finding["locations"][0]["file"].get<std::string>(), HasSubstr("a.comp"));
  EXPECT_THAT(finding["locations"][0]["line"], testing::AnyOf(9, 10));
  ASSERT_FALSE(json["runs"].empty());
  EXPECT_EQ(json["runs"][0]["wave_size"], 4);
  EXPECT_EQ(json["runs"][0]["schedule"], "waves rising");
  EXPECT_EQ(json["runs"][0]["layout"], "linear");
  EXPECT_EQ(json["runs"][0]["result"], "ran");
  EXPECT_EQ(check(right, {"--json"}).json()["verdict"], "clean");
}

TEST_F(Check, OutputsMayVaryWhereThatIsSaid) {
  const auto silent = check(sized, {"--may-vary", "Out"});
  EXPECT_EQ(silent.exit_code, 0) << silent.out << silent.err;
  const auto told = check(sized);
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_THAT(told.out, HasSubstr("wave-size-dependent"));
  EXPECT_THAT(told.out, HasSubstr("words[i] = subgroupAdd(1);"));
}

TEST_F(Check, OutputsInAnyOrder) {
  constexpr std::string_view append = "  words[1 + atomicAdd(words[0], 1)] = i;\n}\n";
  const auto in_order = check(append, {"--size", "0=1024", "--wave-sizes", "4"});
  EXPECT_EQ(in_order.exit_code, 2) << "the same buffer twice";
  test::write_file(folder_ / "b.comp", std::string(head) + std::string(append));
  const auto told = run({"check", "b.comp", "--size", "Out=512", "--wave-sizes", "4"});
  EXPECT_EQ(told.exit_code, 1) << told.out;
  EXPECT_THAT(told.out, HasSubstr("schedule-dependent"));
  const auto silent = run({"check", "b.comp", "--size", "Out=512", "--wave-sizes", "4", "--unordered", "Out"});
  EXPECT_EQ(silent.exit_code, 0) << silent.out;
}

TEST_F(Check, LeavesOutWhatIsSuppressedOrAllowed) {
  EXPECT_EQ(check(racy, {"--wave-sizes", "64", "--suppress", "groupshared-race"}).exit_code, 0);
  EXPECT_EQ(check(racy, {"--wave-sizes", "64", "--suppress", "groupshared-race:9"}).exit_code, 0);
  EXPECT_EQ(check(racy, {"--wave-sizes", "64", "--suppress", "groupshared-race:90"}).exit_code, 1);
  EXPECT_EQ(check(racy, {"--suppress", "gropshared-race"}).exit_code, 2);
  const auto allowed = check(
      "  tile[i] = i; barrier();\n  tile[i] = 2 * i;\n"
      "  words[i] = tile[i ^ 1];  // crosslane: allow(groupshared-race) lockstep is known here\n}\n",
      {"--wave-sizes", "64"});
  EXPECT_EQ(allowed.exit_code, 0) << allowed.out;
  EXPECT_THAT(allowed.out, HasSubstr("1 finding suppressed, allowed or in the baseline was left out"));
}

TEST_F(Check, TellsOfACommentThatAllowsNothing) {
  const auto outcome = check(
      "  tile[i] = i; barrier();\n  tile[i] = 2 * i;\n"
      "  words[i] = tile[i ^ 1];  // crosslane: allow(gropshared-race) a slip\n}\n",
      {"--wave-sizes", "64"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("a.comp:10: allow(gropshared-race) allows nothing: there is no such id"));
}

TEST_F(Check, LeavesOutTheBaseline) {
  test::write_file(folder_ / "known.json", check(racy, {"--wave-sizes", "64", "--json"}).out);
  const auto same = check(racy, {"--wave-sizes", "64", "--baseline", "known.json"});
  EXPECT_EQ(same.exit_code, 0) << same.out;
  const auto moved = check("\n\n" + std::string(racy), {"--wave-sizes", "64", "--baseline", "known.json"});
  EXPECT_EQ(moved.exit_code, 0) << "two lines further down\n" << moved.out;
  const auto spelled =
      run({"check", "./a.comp", "--size", "Out=256", "--wave-sizes", "64", "--baseline", "known.json"});
  EXPECT_EQ(spelled.exit_code, 0) << "the same file, spelled otherwise\n" << spelled.out;
  const auto other = check("  tile[i] = i; barrier();\n  tile[i] = 3 * i;\n  words[i] = tile[i ^ 3];\n}\n",
                           {"--wave-sizes", "64", "--baseline", "known.json"});
  EXPECT_EQ(other.exit_code, 1);
  test::write_file(folder_ / "none.json", "[]");
  EXPECT_EQ(check(racy, {"--baseline", "none.json"}).exit_code, 2);
}

TEST_F(Check, SarifTakesThePlaceOfSarifAlone) {
  EXPECT_EQ(check(racy, {"--wave-sizes", "64", "--sarif", "found.sarif"}).exit_code, 1);
  EXPECT_EQ(check(racy, {"--wave-sizes", "64", "--sarif", "found.sarif"}).exit_code, 1) << "once more";
  const auto refused = check(racy, {"--wave-sizes", "64", "--sarif", "a.comp"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--sarif a.comp: the file is there already, and is no SARIF: name another one"));
  EXPECT_EQ(run({"check", "a.comp", "--size", "Out=256"}).exit_code, 1) << "the shader is untouched";
}

TEST_F(Check, GroupsAreOneOrMore) {
  for (const std::string groups : {"0", "1,0", "4294967296"}) {
    const auto refused = check(racy, {"--groups", groups});
    EXPECT_EQ(refused.exit_code, 2) << groups;
    EXPECT_THAT(refused.err, HasSubstr("--groups"));
  }
}

TEST_F(Check, AsSarif) {
  const auto outcome = check(racy, {"--wave-sizes", "64", "--sarif", "found.sarif"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  std::ifstream file(folder_ / "found.sarif");
  const auto sarif = nlohmann::json::parse(file);
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto& tool = sarif["runs"][0]["tool"]["driver"];
  const auto& result = sarif["runs"][0]["results"][0];
  EXPECT_EQ(result["ruleId"], "groupshared-race");
  EXPECT_EQ(tool["rules"][result["ruleIndex"].get<std::size_t>()]["id"], "groupshared-race");
  EXPECT_EQ(result["level"], "error");
  const auto& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "a.comp");
  EXPECT_EQ(place["region"]["startLine"], 10);
  EXPECT_EQ(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 9);
}

TEST_F(Check, Explain) {
  const auto all = run({"explain"});
  EXPECT_EQ(all.exit_code, 0);
  for (const auto* id : {"lane-out-of-range", "global-race", "wrong-result"}) {
    EXPECT_THAT(all.out, HasSubstr(id));
    EXPECT_THAT(run({"explain", id}).out, HasSubstr("Rests on: "));
  }
  EXPECT_EQ(run({"explain", "nothing"}).exit_code, 2);
  EXPECT_EQ(run({"explain", "global-race", "--json"}).json()["rules"].size(), 1U);
}

TEST_F(Check, MakesUpWhatNothingDescribes) {
  test::write_file(folder_ / "b.comp",
                   "#version 450\nlayout(local_size_x = 64) in;\n"
                   "layout(binding = 0) readonly buffer In { uint a[]; };\n"
                   "layout(binding = 1) buffer Out { uint o[]; };\n"
                   "void main() { o[gl_GlobalInvocationID.x] = a[a[gl_GlobalInvocationID.x]]; }\n");
  const auto outcome = run({"check", "b.comp", "--groups", "4", "--wave-sizes", "8"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("note: made up: 4096 bytes of numbers from a seed for set 0, binding 0 (In)"));
  EXPECT_THAT(outcome.out, HasSubstr("note: made up: 4096 bytes of zeros for set 0, binding 1 (Out)"));
  EXPECT_EQ(run({"run", "b.comp", "--device", "machine"}).exit_code, 2) << "run makes nothing up";
}

TEST_F(Check, MakesUpTexelsAndSamplers) {
  test::write_file(
      folder_ / "texels.hlsl",
      "Texture2D<float4> source : register(t0);\nSamplerState linear_ : register(s0);\n"
      "RWTexture2D<float> target : register(u0);\nRWBuffer<uint> line_ : register(u1);\n"
      "[numthreads(8, 4, 1)] void main(uint3 id : SV_DispatchThreadID) {\n"
      "  target[id.xy] = source.Load(int3(id.xy, 0)).x + source.SampleLevel(linear_, float2(0.5, 0.5), 0).y;\n"
      "  line_[id.x + 16 * id.y] = id.x;\n}\n");
  const auto outcome = run({"check", "texels.hlsl", "--groups", "2,3", "--wave-sizes", "8"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("made up: 16 x 12 x 1 texels in 1 layer of 4 x f32, numbers from a seed for"));
  EXPECT_THAT(outcome.out, HasSubstr("made up: 16 x 12 x 1 texels in 1 layer of 1 x f32, zeros for"));
  EXPECT_THAT(outcome.out, HasSubstr("made up: 192 texels of 1 x u32, zeros for"));
  EXPECT_THAT(outcome.out, HasSubstr("made up: a linear sampler that clamps for"));
}

TEST_F(Check, SaysOfFindingsThatTheSizeWasMadeUp) {
  const std::string reads_far = std::string(head) + "  words[i + 2000] = i;\n}\n";
  test::write_file(folder_ / "far.comp", reads_far);
  const auto outcome = run({"check", "far.comp", "--wave-sizes", "8"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("the size of 'Out' was made up: give it with --size Out=BYTES"));
  EXPECT_THAT(run({"check", "far.comp", "--wave-sizes", "8", "--size", "Out=256"}).out, Not(HasSubstr("was made up")));
}

TEST_F(Check, DevicesThatReportAnotherWaveSize) {
  constexpr std::string_view body = "  words[i] = gl_SubgroupSize;\n}\n";
  test::write_file(
      folder_ / "size.comp",
      std::string(head).insert(13, "#extension GL_KHR_shader_subgroup_basic : require\n") + std::string(body));
  const std::vector<std::string> flags = {"check", "size.comp", "--size", "Out=256", "--wave-sizes", "8", "--json"};
  EXPECT_EQ(run(flags).exit_code, 0);
  auto lying = flags;
  lying.insert(lying.end(), {"--lying-size", "8,32"});
  const auto outcome = run(lying);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  ASSERT_EQ(outcome.json()["findings"].size(), 1U) << outcome.out;
  EXPECT_EQ(outcome.json()["findings"][0]["id"], "reported-size-dependent");
  EXPECT_EQ(outcome.json()["findings"][0]["schedules"][0], "reports 32 lanes");
}

TEST_F(Check, ALoopIsToldOnceAndItsIterationsCanBeBounded) {
  const auto endless = check("  while (atomicAdd(words[0], 0u) == 0u) {}\n}\n", {"--wave-sizes", "8,32", "--json"});
  ASSERT_EQ(endless.json()["findings"].size(), 1U) << endless.out;
  EXPECT_EQ(endless.json()["findings"][0]["id"], "no-progress");
  EXPECT_EQ(endless.json()["findings"][0]["locations"][0]["line"], 8);
  EXPECT_THAT(std::string(endless.json()["findings"][0]["hint"]), HasSubstr("gl_WorkGroupID"));
  constexpr std::string_view counts =
      "  uint x = i; for (uint k = 0; k < 100000; ++k) x = x * 3 + k; words[i] = x;\n}\n";
  EXPECT_EQ(check(counts, {"--wave-sizes", "64"}).exit_code, 0);
  const auto bounded = check(counts, {"--wave-sizes", "64", "--iterations", "5000"});
  EXPECT_EQ(bounded.exit_code, 1);
  EXPECT_THAT(bounded.out, HasSubstr("no thread group ends in as many iterations as are allowed"));
}

// The wave machine gives up what never ends, whichever verb runs it.
TEST_F(Check, RunGivesUpALoopWithoutEnd) {
  test::write_file(folder_ / "endless.comp",
                   std::string(head) + "  uint k = 0; do { words[i] = ++k; } while (k != 0);\n}\n");
  const auto outcome =
      run({"run", "endless.comp", "--size", "Out=256", "--device", "machine", "--iterations", "100000"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("no group has ended for 100000 iterations of threads"));
}

TEST_F(Check, ListsOfNumbersEndWithTheirWord) {
  test::write_file(folder_ / "right.comp", std::string(head) + std::string(right));
  EXPECT_THAT(run({"check", "--wave-sizes", "8,16", "right.comp", "--size", "Out=256"}).out,
              HasSubstr("at wave size 8, 16"));
  EXPECT_EQ(run({"run", "--groups", "2", "right.comp", "--size", "Out=512", "--device", "machine"}).exit_code, 0);
}

TEST_F(Check, OneRunOrSeveralAtATimeSayTheSame) {
  const auto one = check(racy, {"--jobs", "1"});
  EXPECT_EQ(one.out, check(racy, {"--jobs", "5"}).out);
  test::write_file(folder_ / "one.comp",
                   "#version 450\nlayout(binding = 0) buffer Out { uint o; };\nvoid main() { o = 1; }\n");
  EXPECT_THAT(run({"check", "one.comp", "--wave-sizes", "1"}).out, HasSubstr("clean: 1 run at wave size 1"));
}

TEST_F(Check, RefusesWhatItCannotUse) {
  const auto refused = [&](const std::vector<std::string>& flags, std::string_view what) {
    const auto outcome = check(right, flags);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(what));
    EXPECT_EQ(outcome.out, "");
  };
  refused({"--wave-sizes", "0"}, "--wave-sizes");
  refused({"--rules", "metal"}, "--rules");
  refused({"--may-vary", "nothing"}, "writes no such buffer");
  refused({"--may-vary", "nothing"}, "only Out");
  refused({"--job", "none.yaml"}, "none.yaml");
  refused({"--job", "."}, "'.' is a folder: name a file with a job");
  refused({"--baseline", "."}, "'.' is a folder: name a file with a baseline");
  refused({"--sarif", "-"}, "-: findings are not written to standard output: name a .sarif file");
  refused({"--sarif", "."}, "name a .sarif file in it");
  refused({"--sarif", ""}, "the name of the output file is empty: name a .sarif file");
  refused({"--include", "nowhere"}, "--include nowhere: there is no such folder");
  refused({"--in", "Out"}, "--in Out: write NAME=FILE.npy");
  refused({"--groups", "65536", "--rules", "d3d12"}, "Direct3D allows 65535 in each dimension");
  refused({"--groups", "1,2,3,4"}, "--groups 1,2,3,4: a dispatch has three dimensions");
  EXPECT_EQ(run({"check", "a.comp", "--size", "Out=255"}).exit_code, 2);
  for (const std::string compiled : {"a.dxil", "a.cso"}) {
    test::write_file(folder_ / compiled, "DXBC");
    EXPECT_EQ(run({"check", compiled}).exit_code, 2);
    EXPECT_THAT(run({"check", compiled}).err, HasSubstr("name its HLSL source, or SPIR-V that vkd3d"));
  }
  EXPECT_THAT(run({"check", "a.comp", "--size", "Out=255"}).err, HasSubstr("write 256"));
  EXPECT_EQ(run({"check"}).exit_code, 2);
}

TEST_F(Check, OfAFileWithAJobOfItsOwn) {
  const auto outcome = run({"check", CROSSLANE_SOURCE_DIR "/tests/cases/wave.sum.test"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto sized_file = run({"check", CROSSLANE_SOURCE_DIR "/tests/cases/wave.size_32.test", "--json"});
  EXPECT_EQ(sized_file.exit_code, 0) << sized_file.out << sized_file.err;
  for (const auto& one : sized_file.json()["runs"]) {
    EXPECT_EQ(one["wave_size"], 32);
    EXPECT_EQ(one["result"], "holds");
  }
}

}  // namespace
}  // namespace crosslane::cli
