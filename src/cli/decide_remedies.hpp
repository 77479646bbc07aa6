// What is tried where a step of a decision fails.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "crosslane/device.hpp"
#include "measure/decision.hpp"
#include "verify/conformance.hpp"

namespace crosslane::cli {

/// What is found with waves of that many lanes.
using LookAtWaveSize = std::function<measure::Evidence(std::uint32_t wave_size)>;

/// Fixes the wave size: a failed step is tried again at each other size until one passes, which `fixed` receives. The
/// evidence says what was tried and what came of it; `else_try` ends it where nothing helped. What has not failed stays
/// as it is.
measure::Evidence try_wave_sizes(measure::Evidence evidence, const DeviceInfo& device, const LookAtWaveSize& look,
                                 std::string_view else_try, std::optional<std::uint32_t>& fixed);

/// Whether a device kept all its promises at one size, of a report of all its sizes.
measure::Evidence promises_at(const ConformanceReport& report, std::uint32_t wave_size);

}  // namespace crosslane::cli
