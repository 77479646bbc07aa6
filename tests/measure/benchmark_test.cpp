// From recorded works to a table of medians and ratios, on a device with set times.
#include "measure/benchmark.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "measure/fake_device.hpp"
#include "measure/sampler.hpp"
#include "support/expected.hpp"

namespace crosslane::measure {
namespace {

using crosslane::test::must;
using test::FakeDevice;
using test::FakeTimes;

std::shared_ptr<FakeTimes> times(double ms, double spread = 0.0) {
  return std::make_shared<FakeTimes>(FakeTimes{ms, spread});
}

BenchmarkOptions without_bandwidth() {
  BenchmarkOptions options;
  options.bandwidth = false;
  return options;
}

TEST(RunBenchmark, GivesMediansAndHowManyTimesAsFast) {
  FakeDevice device;
  const auto slow = times(0.30, 0.02);
  const auto fast = times(0.20, 0.02);
  fast->random.seed(2);
  const Benchmark result = must(run_benchmark(device, test::fake_workload(slow, fast), without_bandwidth()));
  ASSERT_EQ(result.methods.size(), 3U);
  const Measured* const shuffle = result.find("shuffle");
  ASSERT_NE(shuffle, nullptr);
  EXPECT_NEAR(shuffle->time_ms.median, 0.20, 0.004);
  EXPECT_NEAR(shuffle->relative->median, 1.5, 0.03);
  EXPECT_FALSE(shuffle->relative->interval.contains(1.0));
  EXPECT_NEAR(shuffle->repeats, 5.0, 1.0) << "5 · 0.2 ms last a millisecond";
  const Measured* const groupshared = result.find("groupshared");
  ASSERT_NE(groupshared, nullptr);
  EXPECT_EQ(groupshared->relative->median, 1.0);
  EXPECT_EQ(groupshared->times_ms.size(), shuffle->times_ms.size());
  EXPECT_EQ(result.stop, Stop::narrow);
}

TEST(RunBenchmark, TellsWhyAMethodWasNotRun) {
  FakeDevice device;
  const Benchmark result = must(run_benchmark(device, test::fake_workload(times(1), times(1)), without_bandwidth()));
  EXPECT_EQ(result.find("wave_intrinsics"), nullptr);
  EXPECT_EQ(result.methods.back().note, "no wave intrinsics here");
  EXPECT_TRUE(result.right());
}

TEST(RunBenchmark, DoesNotTimeWhatIsWrong) {
  FakeDevice device;
  const auto wrong = times(0.1);
  wrong->fault = "the sum is 3, not 4";
  const Benchmark result = must(run_benchmark(device, test::fake_workload(times(1), wrong), without_bandwidth()));
  EXPECT_EQ(result.find("shuffle"), nullptr);
  EXPECT_EQ(result.methods[1].fault, "the sum is 3, not 4");
  EXPECT_FALSE(result.right());
  EXPECT_EQ(wrong->sets.size(), 2U) << "once to count its launches, once for the results";
}

TEST(RunBenchmark, GoesRoundTheSetsWithEverybody) {
  FakeDevice device;
  const auto slow = times(0.25);
  const auto fast = times(0.25);
  must(run_benchmark(device, test::fake_workload(slow, fast, 15), without_bandwidth()));
  // Four repeats a sample: whatever one used, the other one uses the next.
  const std::vector<std::size_t> last(slow->sets.end() - 4, slow->sets.end());
  const std::vector<std::size_t> after(fast->sets.end() - 4, fast->sets.end());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((last[i] + 4) % 15, after[i]);
  }
  EXPECT_EQ(std::set<std::size_t>(slow->sets.begin(), slow->sets.end()).size(), 15U);
}

TEST(RunBenchmark, MeasuresOnlyTheMethodsAskedFor) {
  FakeDevice device;
  auto options = without_bandwidth();
  options.methods = {Method::shuffle};
  const Benchmark result = must(run_benchmark(device, test::fake_workload(times(1), times(2)), options));
  ASSERT_EQ(result.methods.size(), 1U);
  EXPECT_EQ(result.methods[0].relative->median, 1.0) << "it is the first";
}

TEST(RepeatsLasting, AreNoFewerThanOneAndNotTooMany) {
  FakeDevice device;
  Rotation rotation(1);
  EXPECT_EQ(must(repeats_lasting(device, test::fake_work(Method::shuffle, times(50.0)), rotation, 1.0)), 1U);
  EXPECT_EQ(must(repeats_lasting(device, test::fake_work(Method::shuffle, times(1e-6)), rotation, 1.0)), 1024U);
  EXPECT_EQ(must(repeats_lasting(device, test::fake_work(Method::shuffle, times(0.0)), rotation, 1.0)), 1024U);
}

TEST(TimeRepeats, NeedsAClock) {
  FakeDevice device;
  device.info_.features.timestamps = false;
  Rotation rotation(1);
  EXPECT_TRUE(crosslane::test::fails(time_repeats(device, test::fake_work(Method::shuffle, times(1)), rotation, 1),
                                     ErrorCode::unsupported, "no clock"));
}

}  // namespace
}  // namespace crosslane::measure
