// The clock values of one command list.
#pragma once

#include "device/vulkan/state.hpp"

namespace crosslane::vulkan {

class Timestamps {
 public:
  explicit Timestamps(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  /// Records the writing of the clock once everything recorded before is finished; returns its index.
  /// Throws what Vulkan-Hpp throws.
  std::uint32_t record(vk::CommandBuffer commands);

  /// Milliseconds since the first value. Errors: `invalid_argument` where the work has not finished.
  [[nodiscard]] Expected<std::vector<double>> read() const;

 private:
  std::shared_ptr<DeviceState> state_;
  std::vector<vk::raii::QueryPool> pools_;
  std::uint32_t count_ = 0;
};

/// Ticks in milliseconds since the first. Clocks of fewer than 64 bits wrap around; differences survive that.
std::vector<double> milliseconds(std::span<const std::uint64_t> ticks, std::uint32_t valid_bits,
                                 double nanoseconds_per_tick);

}  // namespace crosslane::vulkan
