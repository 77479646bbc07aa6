// `crosslane bench` on the wave machine and in files: what it prints, and what it compares.
#include <filesystem>
#include <fstream>
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

class Bench : public test::ProgramTest {
 protected:
  test::Outcome bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--device", std::string("machine"), "--max-time", "0.05"});
    return run(arguments);
  }

  void write(const std::string& name, const std::string& text) const { test::write_file(folder_ / name, text); }

  // Two shaders that double an array, and their job.
  void write_pair(const std::string& b_adds = "0") const {
    write("a.hlsl", R"(
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);
[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) { Out[thread.x] = In[thread.x] * 2; })");
    write("b.hlsl", R"(
StructuredBuffer<float> In : register(t0);
RWStructuredBuffer<float> Out : register(u0);
[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
  float sum = )" + b_adds +
                        R"(;
  for (uint i = 0; i < 200; ++i) { sum += In[thread.x] * 0.01f; }
  Out[thread.x] = sum;
})");
    write("job.yaml", crosslane::test::two_arrays_job(4));
  }
};

TEST_F(Bench, ComparesTheMethodsOfAnAlgorithm) {
  const auto json = bench({"reduce", "--size", "5000", "--json"}).json();
  ASSERT_EQ(json["runs"].size(), 1U);
  EXPECT_EQ(json["cold"], true);
  const auto& benchmark = json["runs"][0]["benchmarks"][0];
  EXPECT_EQ(benchmark["algorithm"], "reduce");
  EXPECT_EQ(benchmark["count"], 5000);
  EXPECT_EQ(benchmark["bytes_read"], 20000);
  ASSERT_EQ(benchmark["methods"].size(), 3U);
  for (const auto& method : benchmark["methods"]) {
    EXPECT_EQ(method["fault"], "");
    const double median = method["time_ms"]["median"];
    EXPECT_GT(median, 0.0);
    EXPECT_LE(method["time_ms"]["low"], median);
    EXPECT_GE(method["times_ms"].size(), 11U);
    EXPECT_NEAR(method["gb_per_s"].get<double>(), 20004.0 / median / 1e6, 1e-9);
    EXPECT_GT(method["memory_fraction"]["median"], 0.0);
    EXPECT_EQ(method["launches"], 1);
  }
  EXPECT_EQ(benchmark["memory"]["note"], "reads alone");
}

TEST_F(Bench, ShowsTablesBarsAndTheEnvironment) {
  const auto outcome = bench({"fft", "--size", "4096", "--hot", "--counts"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("lanes per wave"), HasSubstr("hot: one set"), HasSubstr("GFLOPS: 5 n log2(8)"),
                    HasSubstr("█"), HasSubstr("counted on the wave machine"), HasSubstr("of memory")));
}

TEST_F(Bench, HasCsv) {
  const auto outcome = bench({"scan", "--size", "1000", "--csv", "--method", "shuffle"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::StartsWith("device,wave_size,algorithm"));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2);
  EXPECT_THAT(bench({"--size", "1000", "--csv"}).err, testing::Not(HasSubstr("exchanges")))
      << "not measured for nothing";
}

TEST_F(Bench, MeasuresAtSeveralSizes) {
  const auto json = bench({"reduce", "--sizes", "2^4..2^8,5000", "--json"}).json();
  std::vector<std::uint64_t> counts;
  for (const auto& benchmark : json["runs"][0]["benchmarks"]) {
    counts.push_back(benchmark["count"].get<std::uint64_t>());
    EXPECT_EQ(benchmark["work"], "sum of u32");
  }
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{16, 64, 256, 5000}));
  const auto text = bench({"fft", "--sizes", "8,9,64"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("median ms by number of elements"), HasSubstr("n = 64"),
                              testing::Not(HasSubstr("n = 8;"))));
  const auto bad = bench({"reduce", "--sizes", "2^8..2^4"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("--sizes: '2^8..2^4' is no list of sizes"));
  EXPECT_EQ(bench({"reduce", "--sizes", "8", "--size", "8"}).exit_code, 2);
}

TEST_F(Bench, TellsOfTypesThatAlgorithmsLack) {
  const auto json = bench({"--type", "i64", "--size", "1000", "--json"}).json();
  EXPECT_EQ(json["notes"],
            (nlohmann::json{"fft is measured of f32: it has no i64", "blur is measured of f32: it has no i64"}));
  EXPECT_EQ(json["runs"][0]["benchmarks"][0]["element"], "i64");
  EXPECT_THAT(bench({"blur", "--type", "i64"}).err, HasSubstr("--type i64: blur has no such type: take f32"));
}

TEST_F(Bench, MeasuresTheExchangeOfNeighbours) {
  const auto json = bench({"exchange", "--json"}).json();
  const auto& exchange = json["runs"][0]["exchange"];
  EXPECT_GE(exchange["rows"].size(), 11U);
  for (const auto& row : exchange["rows"]) {
    EXPECT_EQ(row["fault"], "") << row;
  }
}

TEST_F(Bench, FindsARegressionAgainstABaseline) {
  auto saved = bench({"reduce", "--size", "5000", "--json"}).json();
  const auto with_factor = [&](double factor) {
    auto json = saved;
    for (auto& method : json["runs"][0]["benchmarks"][0]["methods"]) {
      for (const auto& [key, value] : method["time_ms"].items()) {
        value = value.get<double>() * factor;
      }
    }
    write("before.json", json.dump());
    return bench({"reduce", "--size", "5000", "--baseline", "before.json", "--json"});
  };
  // Hundred times off, so that a busy machine changes nothing.
  const auto slower = with_factor(0.01);
  EXPECT_EQ(slower.exit_code, 1);
  EXPECT_EQ(slower.json()["comparisons"][0]["regression"], true);
  const auto faster = with_factor(100.0);
  EXPECT_EQ(faster.exit_code, 0);
  EXPECT_EQ(faster.json()["comparisons"].size(), 3U);
  EXPECT_THAT(bench({"reduce", "--size", "5000", "--baseline", "before.json"}).out, HasSubstr("faster"));
}

TEST_F(Bench, RefusesWhatIsNoBaseline) {
  write("bad.json", "{\"schema_version\": 1}");
  EXPECT_EQ(bench({"reduce", "--baseline", "bad.json"}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--baseline", "missing.json"}).exit_code, 2);
  write("other.json", bench({"scan", "--size", "1000", "--json"}).out);
  const auto other = bench({"reduce", "--size", "1000", "--baseline", "other.json"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("none of what was measured"));
}

TEST_F(Bench, ComparesTwoShadersOfAnybodys) {
  write_pair();
  const auto outcome = bench({"--a", "a.hlsl", "--b", "b.hlsl", "--job", "job.yaml", "--json"});
  const auto json = outcome.json();
  EXPECT_EQ(outcome.exit_code, 0);
  const auto& rows = json["runs"][0]["benchmarks"][0]["methods"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["name"], "A: a.hlsl");
  EXPECT_EQ(rows[1]["name"], "B: b.hlsl");
  EXPECT_EQ(rows[1]["fault"], "");
  EXPECT_GT(rows[1]["time_ms"]["median"], 0.0);
}

TEST_F(Bench, DoesNotTimeAShaderWithOtherResults) {
  write_pair("1");
  const auto outcome = bench({"--a", "a.hlsl", "--b", "b.hlsl", "--job", "job.yaml"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("WRONG, not timed: 256 of 256 numbers of 'Out'"));
  const auto csv = bench({"--a", "a.hlsl", "--b", "b.hlsl", "--job", "job.yaml", "--csv"});
  EXPECT_EQ(csv.exit_code, 1);
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 3) << csv.out;
  EXPECT_THAT(csv.out, HasSubstr("\"B: b.hlsl\",,,,,,,,,1,0,\"256 of 256 numbers of 'Out' differ from A's\",\"\"\n"));
}

TEST_F(Bench, RefusesFlagsWithoutEffect) {
  write_pair();
  const auto refused = [&](std::vector<std::string> arguments, const std::string& error) {
    const auto outcome = run([&] {
      arguments.insert(arguments.begin(), "bench");
      return arguments;
    }());
    EXPECT_EQ(outcome.exit_code, 2) << error;
    EXPECT_THAT(outcome.err, testing::StartsWith("crosslane: error: " + error));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  refused({"reduce", "--min-time", "2", "--max-time", "1"}, "--min-time 2 is longer than --max-time 1");
  refused({"reduce", "--points", "16"}, "--points: means nothing beside reduce");
  refused({"reduce", "--tolerance", "3%"}, "--tolerance: means nothing without --baseline");
  refused({"exchange", "--size", "5"}, "--size: means nothing beside exchange");
  refused({"exchange", "--wave-sizes", "16"}, "--wave-sizes: means nothing beside exchange");
  refused({"reduce", "--include", "."}, "--include: means nothing without --a, --b and --job");
  refused({"reduce", "--a", "a.hlsl", "--b", "b.hlsl", "--job", "job.yaml"},
          "reduce: means nothing beside --a and --b");
  refused({"--a", "a.hlsl", "--b", "b.hlsl", "--job", "job.yaml", "--size", "5"}, "--size: means nothing beside --a");
  for (const std::string flag : {"--a", "--b", "--job", "--profile"}) {
    refused({flag, ""}, flag + ": there is no value");
  }
}

TEST_F(Bench, RefusesBadUse) {
  EXPECT_EQ(bench({"sort"}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--size", "0"}).exit_code, 2);
  EXPECT_EQ(bench({"fft", "--type", "u32"}).exit_code, 2);
  EXPECT_EQ(bench({"fft", "--points", "10000"}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--hot", "--cold"}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--csv", "--json"}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--tolerance", "much", "--baseline", "x"}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--tolerance", "10", "--baseline", "x"}).exit_code, 2) << "1000 % is not meant";
  EXPECT_EQ(bench({"reduce", "--max-time", "nan"}).exit_code, 2);
  EXPECT_EQ(bench({"exchange", "--csv"}).exit_code, 2);
  EXPECT_EQ(bench({"fft", "--method", "wave_intrinsics"}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--baseline", ""}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--csv", "--counts"}).exit_code, 2);
  EXPECT_EQ(bench({"reduce", "--wave-sizes", "3"}).exit_code, 2);
  const auto half = bench({"--a", "a.hlsl"});
  EXPECT_EQ(half.exit_code, 2);
  EXPECT_THAT(half.err, HasSubstr("--b is missing"));
}

}  // namespace
}  // namespace crosslane::cli
