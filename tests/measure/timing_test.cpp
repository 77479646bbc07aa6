#include "measure/timing.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace crosslane::measure {
namespace {

// A list that knows how often work was recorded between its timestamps.
class FakeList : public CommandList {
 public:
  Expected<void> dispatch(const Pipeline&, std::span<const Binding>, std::span<const std::byte>, GroupCount) override {
    ++work;
    return {};
  }
  Expected<void> dispatch_indirect(const Pipeline&, std::span<const Binding>, std::span<const std::byte>,
                                   const BufferPlace&) override {
    return {};
  }
  Expected<void> copy(Buffer&, std::uint64_t, Buffer&, std::uint64_t, std::uint64_t) override { return {}; }
  Expected<void> fill(Buffer&, std::uint64_t, std::uint64_t, std::uint32_t) override { return {}; }
  Expected<void> barrier() override {
    ++work;
    return {};
  }
  Expected<std::uint32_t> timestamp() override {
    work_at_timestamp.push_back(work);
    return static_cast<std::uint32_t>(work_at_timestamp.size() - 1);
  }

  int work = 0;
  std::vector<int> work_at_timestamp;
};

// A device whose n-th submitted list takes n milliseconds.
class FakeDevice : public Device {
 public:
  FakeDevice() {
    info_.name = "fake";
    info_.features.timestamps = true;
  }
  const DeviceInfo& info() const override { return info_; }
  Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription&) override {
    return fail(ErrorCode::unsupported, "no buffers");
  }
  Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription&) override {
    return fail(ErrorCode::unsupported, "no pipelines");
  }
  Expected<std::unique_ptr<CommandList>> create_command_list() override { return std::make_unique<FakeList>(); }
  Expected<void> submit(CommandList& list) override {
    ++submitted;
    work_between_timestamps = dynamic_cast<FakeList&>(list).work_at_timestamp.back();
    return {};
  }
  Expected<void> wait(CommandList&) override { return {}; }
  Expected<std::vector<double>> timestamps(CommandList&) override {
    std::vector<double> times = {100.0, 100.0 + submitted};
    times.resize(times_returned);
    return times;
  }

  DeviceInfo info_;
  int submitted = 0;
  int work_between_timestamps = 0;
  std::size_t times_returned = 2;
};

Expected<void> some_work(CommandList& list) { return list.barrier(); }

TEST(TimeOnDevice, LeavesTheWarmUpOutAndTakesTheMedianOfTheRest) {
  FakeDevice device;
  const auto timing = time_on_device(device, some_work, {.warm_up = 2, .least_runs = 5, .most_runs = 5});
  ASSERT_TRUE(timing.has_value());
  EXPECT_EQ(timing->runs_ms, (std::vector<double>{3.0, 4.0, 5.0, 6.0, 7.0}));
  EXPECT_EQ(timing->median_ms, 5.0);
  EXPECT_EQ(device.work_between_timestamps, 1);
}

TEST(TimeOnDevice, StopsAfterTheLeastRunsOnceTheBudgetIsSpent) {
  FakeDevice device;
  const auto timing = time_on_device(
      device, some_work, {.warm_up = 0, .least_runs = 4, .most_runs = 100, .budget = std::chrono::seconds(0)});
  ASSERT_TRUE(timing.has_value());
  EXPECT_EQ(timing->runs_ms.size(), 4U);
}

TEST(TimeOnDevice, PassesOnWhatRecordingSays) {
  FakeDevice device;
  const auto timing = time_on_device(
      device, [](CommandList&) -> Expected<void> { return fail(ErrorCode::invalid_argument, "bad range"); });
  ASSERT_FALSE(timing.has_value());
  EXPECT_EQ(timing.error().message, "bad range");
  EXPECT_EQ(device.submitted, 0);
}

TEST(TimeOnDevice, RefusesADeviceWithoutAClock) {
  FakeDevice device;
  device.info_.features.timestamps = false;
  const auto timing = time_on_device(device, some_work);
  ASSERT_FALSE(timing.has_value());
  EXPECT_EQ(timing.error().code, ErrorCode::unsupported);
}

TEST(TimeOnDevice, ReportsMissingTimestamps) {
  FakeDevice device;
  device.times_returned = 1;
  const auto timing = time_on_device(device, some_work);
  ASSERT_FALSE(timing.has_value());
  EXPECT_EQ(timing.error().code, ErrorCode::device);
}

}  // namespace
}  // namespace crosslane::measure
