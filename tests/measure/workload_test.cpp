// Every algorithm that can be measured, on a real device: its results are right by every method, a wrong one is found,
// and what it is said to cost holds.
#include "measure/workload.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/benchmark.hpp"
#include "measure/workload_parts.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane::measure {
namespace {

using crosslane::test::device;
using crosslane::test::must;

constexpr std::uint64_t count = 5000;

// All on the wave machine; drivers take seconds to compile each, so they get the first.
std::vector<ScalarType> types_of(const MeasuredAlgorithm& algorithm) {
  std::vector<ScalarType> types;
  std::ranges::copy_if(all_scalar_types, std::back_inserter(types), algorithm.takes);
  if (device().info().kind != DeviceKind::machine) {
    types.resize(1);
  }
  return types;
}

TEST(Workload, IsRightByEveryMethodAndType) {
  for (const MeasuredAlgorithm& algorithm : measured_algorithms()) {
    for (const ScalarType type : types_of(algorithm)) {
      const Workload workload = must(algorithm.make(device(), {.type = type, .count = count}));
      EXPECT_EQ(workload.algorithm, algorithm.name);
      EXPECT_EQ(workload.sets, device().info().kind == DeviceKind::gpu ? workload.sets : 2);
      for (const Method method : workload.methods) {
        const auto work = workload.make(method);
        if (!work) {
          EXPECT_EQ(work.error().code, ErrorCode::unsupported) << work.error().message;
          continue;
        }
        EXPECT_EQ(must(verify_work(device(), *work)), "") << algorithm.name << ' ' << name(type) << ' ' << name(method);
        EXPECT_GE(must(count_launches(*work)), 1U);
      }
    }
  }
}

TEST(Workload, FindsAWrongResultInTheOtherSet) {
  if (device().info().kind != DeviceKind::machine) {
    GTEST_SKIP() << "the oracle is the same on every device";
  }
  for (const MeasuredAlgorithm& algorithm : measured_algorithms()) {
    const Workload workload = must(algorithm.make(device(), {.count = count}));
    const Work work = must(workload.make(Method::groupshared));
    EXPECT_EQ(must(verify_work(device(), work)), "");
    EXPECT_NE(must(work.fault(1)), "") << algorithm.name << ": the second set has not run";
    // One element of the input changes behind the oracle's back.
    const std::vector<std::byte> zeros(16);
    must(upload(device(), *workload.input.buffer, zeros, 0));
    EXPECT_NE(must(verify_work(device(), work)), "") << algorithm.name;
  }
}

TEST(Workload, FourierTransformsOfManySizes) {
  const bool machine = device().info().kind == DeviceKind::machine;
  for (const std::uint64_t points :
       machine ? std::vector<std::uint64_t>{2, 8, 60, 256, 1024} : std::vector<std::uint64_t>{64}) {
    const Workload workload = must(make_fft_workload(device(), {.count = 2048, .points = points}));
    EXPECT_EQ(workload.count % points, 0U);
    EXPECT_EQ(must(verify_work(device(), must(workload.make(Method::shuffle)))), "") << points;
  }
  EXPECT_TRUE(
      crosslane::test::fails(make_fft_workload(device(), {.points = 8192}), ErrorCode::invalid_argument, "4096"));
  EXPECT_TRUE(crosslane::test::fails(make_fft_workload(device(), {.type = ScalarType::u32}),
                                     ErrorCode::invalid_argument, "f32 or f64"));
  EXPECT_TRUE(crosslane::test::fails(make_blur_workload(device(), {.type = ScalarType::f64}),
                                     ErrorCode::invalid_argument, "not of f64"));
}

TEST(Workload, OfNothingIsRefused) {
  for (const MeasuredAlgorithm& algorithm : measured_algorithms()) {
    EXPECT_TRUE(crosslane::test::fails(algorithm.make(device(), {.count = 0}), ErrorCode::invalid_argument, "0"));
  }
}

TEST(Stream, MovesWhatItSays) {
  // Scan: a copy. Compaction: of every two vectors the combination of both. Neither says what it does not.
  const Workload scan = must(make_scan_workload(device(), {.count = 40000}));
  const Work copy = must(make_stream(device(), scan));
  EXPECT_EQ(copy.note, "copies");
  EXPECT_EQ(must(verify_work(device(), copy)), "");
  const auto from = must(read_array<std::uint32_t>(device(), scan.input.at(0), 40000));
  EXPECT_EQ(must(read_array<std::uint32_t>(device(), scan.output.at(0), 40000)), from);
  const Workload compact = must(make_compact_workload(device(), {.count = 40000}));
  const Work half = must(make_stream(device(), compact));
  EXPECT_EQ(half.note, "reads two and writes one");
  must(verify_work(device(), half));
  const auto halves = must(read_array<std::uint32_t>(device(), compact.output.at(0), 20000));
  EXPECT_EQ(halves[0], from[0] ^ from[std::size_t{4} * 256]);
  EXPECT_NE(halves[19999], 0U);
  const Workload reduce = must(make_reduce_workload(device(), {.count = 40000}));
  EXPECT_EQ(must(make_stream(device(), reduce)).note, "reads alone");
}

TEST(RunBenchmark, MeasuresARealWorkloadBesideTheDevicesMemory) {
  const Workload workload = must(make_reduce_workload(device(), {.count = count}));
  BenchmarkOptions options;
  options.rounds.most = 12;
  options.rounds.warm_up = 1;
  options.sample_ms = 0.01;
  const Benchmark result = must(run_benchmark(device(), workload, options));
  ASSERT_TRUE(result.stream.has_value());
  EXPECT_TRUE(result.stream->timed());
  for (const Measured& row : result.methods) {
    EXPECT_TRUE(row.timed()) << row.note;
    EXPECT_GT(row.time_ms.median, 0.0);
    EXPECT_GT(row.bandwidth_fraction->median, 0.0);
    EXPECT_EQ(row.fault, "");
  }
}

}  // namespace
}  // namespace crosslane::measure
