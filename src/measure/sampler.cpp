#include "measure/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace crosslane::measure {
namespace {

Expected<void> record_repeats(CommandList& list, const Work& work, Rotation& rotation, std::uint32_t repeats) {
  auto done = list.timestamp().map([](std::uint32_t) {});
  for (std::uint32_t repeat = 0; repeat < repeats && done; ++repeat) {
    done = list.barrier().and_then([&] { return work.record(list, rotation.next()); });
  }
  return done.and_then([&] { return list.timestamp(); }).map([](std::uint32_t) {});
}

}  // namespace

Expected<double> time_repeats(Device& device, const Work& work, Rotation& rotation, std::uint32_t repeats) {
  if (!device.info().features.timestamps) {
    return fail(ErrorCode::unsupported, fmt::format("{} has no clock to time work with", device.info().name));
  }
  const auto list = device.create_command_list();
  if (!list) {
    return tl::unexpected(list.error());
  }
  return record_repeats(**list, work, rotation, repeats)
      .and_then([&] { return run(device, **list); })
      .and_then([&] { return device.timestamps(**list); })
      .and_then([&](const std::vector<double>& times) -> Expected<double> {
        if (times.size() < 2) {
          return fail(ErrorCode::device, fmt::format("the device returned {} of 2 timestamps", times.size()));
        }
        return (times.back() - times.front()) / repeats;
      });
}

Expected<std::uint32_t> repeats_lasting(Device& device, const Work& work, Rotation& rotation, double sample_ms) {
  constexpr std::uint32_t most = 1024;
  std::uint32_t repeats = 1;
  for (int attempt = 0; attempt < 4; ++attempt) {  // the first run of all takes longer than those that count
    const auto time = time_repeats(device, work, rotation, repeats);
    if (!time) {
      return tl::unexpected(time.error());
    }
    const double wanted = *time > 0.0 ? std::ceil(sample_ms / *time) : most;
    const auto now = static_cast<std::uint32_t>(std::clamp<double>(wanted, 1, most));
    if (now == repeats && attempt > 0) {
      break;
    }
    repeats = now;
  }
  return repeats;
}

}  // namespace crosslane::measure
