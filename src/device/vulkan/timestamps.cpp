#include "device/vulkan/timestamps.hpp"

#include <span>

namespace crosslane::vulkan {
namespace {

constexpr std::uint32_t queries_per_pool = 64;

}  // namespace

std::uint32_t Timestamps::record(vk::CommandBuffer commands) {
  const auto query = count_ % queries_per_pool;
  if (query == 0) {
    pools_.emplace_back(state_->device, vk::QueryPoolCreateInfo({}, vk::QueryType::eTimestamp, queries_per_pool));
    commands.resetQueryPool(*pools_.back(), 0, queries_per_pool, state_->dispatcher());
  }
  commands.writeTimestamp(vk::PipelineStageFlagBits::eBottomOfPipe, *pools_.back(), query, state_->dispatcher());
  return count_++;
}

Expected<std::vector<double>> Timestamps::read() const {
  std::vector<std::uint64_t> ticks;
  for (std::uint32_t first = 0; first < count_; first += queries_per_pool) {
    const auto count = std::min(queries_per_pool, count_ - first);
    const auto [result, values] = pools_.at(first / queries_per_pool)
                                      .getResults<std::uint64_t>(0, count, count * sizeof(std::uint64_t),
                                                                 sizeof(std::uint64_t), vk::QueryResultFlagBits::e64);
    if (result == vk::Result::eNotReady) {
      return fail(ErrorCode::invalid_argument,
                  "The timestamps are not there yet: submit the command list and wait for it first.");
    }
    ticks.insert(ticks.end(), values.begin(), values.end());
  }
  return milliseconds(ticks, state_->description.timestamp_bits, state_->description.timestamp_period);
}

std::vector<double> milliseconds(std::span<const std::uint64_t> ticks, std::uint32_t valid_bits,
                                 double nanoseconds_per_tick) {
  constexpr double nanoseconds_per_millisecond = 1e6;
  std::vector<double> values;
  values.reserve(ticks.size());
  const auto unused_bits = 64U - std::clamp(valid_bits, 1U, 64U);
  for (const auto tick : ticks) {
    // Shifted up and down again, so that the highest valid bit is the sign.
    const auto difference =
        static_cast<std::int64_t>((tick - ticks.front()) << unused_bits) >> static_cast<int>(unused_bits);
    values.push_back(static_cast<double>(difference) * nanoseconds_per_tick / nanoseconds_per_millisecond);
  }
  return values;
}

}  // namespace crosslane::vulkan
