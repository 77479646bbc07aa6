// One chain of exchanges: its pipelines and buffers, its results, and what they must be.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "measure/exchange.hpp"

namespace crosslane::measure {

class ExchangeChain {
 public:
  /// `clock`: the variant that reads the processor's clock. Errors: `unsupported` where the device lacks what it needs.
  static Expected<ExchangeChain> create(Device& device, const ExchangeKind& kind, std::uint32_t threads, bool clock);

  /// Records `groups` groups of `steps` steps, a multiple of CROSSLANE_EXCHANGE_UNROLLED.
  Expected<void> record(CommandList& list, std::uint32_t steps, std::uint32_t groups) const;
  /// What is wrong with the results of a chain; empty where nothing is.
  Expected<std::string> verify() const;
  /// Milliseconds of a dispatch.
  [[nodiscard]] Expected<double> time(std::uint32_t steps, std::uint32_t groups) const;
  /// Ticks of the processor's clock that a step takes in one group.
  [[nodiscard]] Expected<double> ticks(std::uint32_t steps) const;

  [[nodiscard]] std::uint32_t wave_size() const { return pipeline_->wave_size(); }

 private:
  ExchangeChain(Device& device, const ExchangeKind& kind, std::uint32_t threads)
      : device_(&device), kind_(&kind), threads_(threads) {}

  Device* device_;
  const ExchangeKind* kind_;
  std::uint32_t threads_;
  std::unique_ptr<Pipeline> pipeline_;
  std::unique_ptr<Buffer> output_;
  std::unique_ptr<Buffer> ticks_;
  std::unique_ptr<Buffer> factors_;
};

/// Most groups that a chain is recorded for.
inline constexpr std::uint32_t most_exchange_groups = 1U << 16U;

/// What lane (or thread, for kinds that are not of waves) `own` of `count` has after `steps` steps.
std::uint32_t exchanged_value(std::string_view kind, std::uint32_t count, std::uint32_t own, std::uint32_t steps);

}  // namespace crosslane::measure
