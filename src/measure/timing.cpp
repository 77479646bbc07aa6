#include "measure/timing.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "measure/median.hpp"

namespace crosslane::measure {
namespace {

using Clock = std::chrono::steady_clock;

Expected<double> run_once(Device& device, const RecordWork& record) {
  Expected<std::unique_ptr<CommandList>> list = device.create_command_list();
  if (!list) {
    return tl::unexpected(std::move(list.error()));
  }
  CommandList& commands = **list;
  const auto timestamp = [&]() { return commands.timestamp().map([](std::uint32_t) {}); };
  const Expected<void> done = timestamp().and_then([&] { return record(commands); }).and_then(timestamp).and_then([&] {
    return run(device, commands);
  });
  if (!done) {
    return tl::unexpected(done.error());
  }
  return device.timestamps(commands).and_then([](const std::vector<double>& times) -> Expected<double> {
    if (times.size() < 2) {
      return fail(ErrorCode::device, fmt::format("the device returned {} of the timestamps of a run", times.size()));
    }
    return times.back() - times.front();
  });
}

}  // namespace

Expected<Timing> time_on_device(Device& device, const RecordWork& record, const TimingOptions& options) {
  if (!device.info().features.timestamps) {
    return fail(ErrorCode::unsupported, fmt::format("{} has no clock to time work with", device.info().name));
  }
  for (std::uint32_t i = 0; i < options.warm_up; ++i) {
    if (Expected<double> time = run_once(device, record); !time) {
      return tl::unexpected(std::move(time.error()));
    }
  }
  Timing timing;
  const Clock::time_point begin = Clock::now();
  while (timing.runs_ms.size() < options.most_runs &&
         (timing.runs_ms.size() < options.least_runs || Clock::now() - begin < options.budget)) {
    Expected<double> time = run_once(device, record);
    if (!time) {
      return tl::unexpected(std::move(time.error()));
    }
    timing.runs_ms.push_back(*time);
  }
  timing.median_ms = median(timing.runs_ms);
  return timing;
}

}  // namespace crosslane::measure
