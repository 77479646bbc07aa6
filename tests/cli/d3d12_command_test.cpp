// The verbs that measure, decide and blur, on Direct3D 12. Run by scripts/test-d3d12.sh, which sets the device.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/npy_bytes.hpp"
#include "cli/run_program.hpp"
#include "cli/two_arrays_job.hpp"

namespace crosslane::cli {
namespace {

using testing::HasSubstr;

class D3d12Command : public test::ProgramTest {
 protected:
  test::Outcome on_device(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--device", test::test_device()});
    return run(arguments);
  }

  // Every method has a time, or a note that says why not; none has a wrong result.
  static void expect_measured(const nlohmann::json& benchmark) {
    ASSERT_FALSE(benchmark["methods"].empty()) << benchmark["algorithm"];
    for (const auto& method : benchmark["methods"]) {
      EXPECT_EQ(method["fault"], "") << benchmark["algorithm"] << method;
      if (method["timed"].get<bool>()) {
        EXPECT_GT(method["time_ms"]["median"].get<double>(), 0.0) << method;
      } else {
        EXPECT_NE(method["note"], "") << method;
      }
    }
  }

  void expect_bench(const std::string& algorithm) {
    const auto outcome = on_device({"bench", algorithm, "--size", "5000", "--max-time", "0.05", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << algorithm << outcome.out << outcome.err;
    const auto json = outcome.json();
    ASSERT_EQ(json["runs"].size(), 1U);
    EXPECT_EQ(json["runs"][0]["device"]["id"], test::test_device());
    ASSERT_EQ(json["runs"][0]["benchmarks"].size(), 1U);
    expect_measured(json["runs"][0]["benchmarks"][0]);
  }

  void expect_decision(const std::string& algorithm) {
    const auto outcome = on_device({"decide", algorithm, "--size", "5000", "--max-time", "0.05", "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const auto json = outcome.json();
    EXPECT_THAT(json["decision"].get<std::string>(), testing::AnyOf("shuffle", "groupshared", "ambiguous"));
    EXPECT_NE(json["reason"], "");
    for (const auto& step : json["steps"]) {
      if (step["name"] == "results") {
        EXPECT_EQ(step["passed"], true) << step;
      }
    }
  }
};

TEST_F(D3d12Command, DevicesSaysWhatItIs) {
  const auto json = run({"devices", "--json"}).json();
  for (const auto& device : json["devices"]) {
    if (device["id"] == test::test_device()) {
      EXPECT_THAT(device["api_version"].get<std::string>(), HasSubstr("shader model 6."));
      EXPECT_EQ(device["wave_sizes"]["standard"], test::expected_wave_size());
      return;
    }
  }
  FAIL() << "no " << test::test_device() << " in " << json;
}

TEST_F(D3d12Command, BenchMeasuresEveryAlgorithm) {
  for (const char* const algorithm : {"reduce", "scan", "compact", "fft"}) {
    expect_bench(algorithm);
  }
}

TEST_F(D3d12Command, BenchMeasuresTheExchangeOfNeighbours) {
  const auto outcome = on_device({"bench", "exchange", "--max-time", "0.05", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const auto json = outcome.json();
  const auto& rows = json["runs"][0]["exchange"]["rows"];
  EXPECT_GE(rows.size(), 11U);
  for (const auto& row : rows) {
    EXPECT_EQ(row["fault"], "") << row;
    if (row["threads"] == 64) {
      EXPECT_TRUE(row["nanoseconds"].is_object()) << row;
    } else {
      EXPECT_THAT(row["note"].get<std::string>(), HasSubstr("a group's size is part of the shader")) << row;
    }
  }
  EXPECT_THAT(json["runs"][0]["exchange"]["clock_note"].get<std::string>(), HasSubstr("has no DXIL"));
}

TEST_F(D3d12Command, BenchAndDecideCompareTwoShadersOfAnybodys) {
  const auto shader = [](const char* statement) {
    return std::string(
               "StructuredBuffer<float> In : register(t0);\nRWStructuredBuffer<float> Out : register(u0);\n"
               "[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) { ") +
           statement + " }\n";
  };
  test::write_file(folder_ / "a.hlsl", shader("Out[thread.x] = In[thread.x] * 2;"));
  test::write_file(folder_ / "b.hlsl", shader("Out[thread.x] = In[thread.x] + In[thread.x];"));
  test::write_file(folder_ / "job.yaml", crosslane::test::two_arrays_job(4));
  const std::vector<std::string> pair = {"--a",      "a.hlsl",     "--b",  "b.hlsl", "--job",
                                         "job.yaml", "--max-time", "0.05", "--json"};
  std::vector<std::string> bench = {"bench"};
  bench.insert(bench.end(), pair.begin(), pair.end());
  const auto measured = on_device(bench);
  ASSERT_EQ(measured.exit_code, 0) << measured.out << measured.err;
  expect_measured(measured.json()["runs"][0]["benchmarks"][0]);
  std::vector<std::string> decide = {"decide"};
  decide.insert(decide.end(), pair.begin(), pair.end());
  const auto decided = on_device(decide);
  ASSERT_EQ(decided.exit_code, 0) << decided.out << decided.err;
  EXPECT_NE(decided.json()["reason"], "");
}

TEST_F(D3d12Command, DecideAnswersForEveryAlgorithm) {
  for (const char* const algorithm : {"reduce", "scan", "compact", "fft"}) {
    expect_decision(algorithm);
  }
}

TEST_F(D3d12Command, BenchAndDecideTakeBlur) {
  expect_bench("blur");
  expect_decision("blur");
}

TEST_F(D3d12Command, BlurGivesTheSameByEveryMethod) {
  std::vector<float> pixels(std::size_t{61} * 47);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<float>(i * 7919 % 1000) / 1000;
  }
  test::write_file(folder_ / "image.npy",
                   test::npy_header(test::npy_dictionary("'<f4'", "(47, 61)")) + test::bytes_of(pixels));
  const auto outcome =
      on_device({"blur", "image.npy", "-o", "blurred.npy", "--radius", "5", "--method", "all", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_GE(outcome.json()["methods"].size(), 2U) << outcome.out;
}

}  // namespace
}  // namespace crosslane::cli
