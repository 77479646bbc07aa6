// Findings that only several runs together show: outputs that depend on the wave size, on the order or on the layout.
#pragma once

#include <optional>
#include <span>

#include "crosslane/check.hpp"
#include "sanitize/sweep.hpp"

namespace crosslane::sanitize {

/// wave-size-dependent or wrong-result, of the runs in the first order.
std::optional<Finding> compare_sizes(const CheckRequest& request, std::span<const RunResult> runs);

/// schedule-dependent or mapping-dependent: a run against the first one of its wave size. Nothing where a graver fault
/// of either explains the difference.
std::optional<Finding> compare_orders(const CheckRequest& request, const RunResult& first, const RunResult& run);

}  // namespace crosslane::sanitize
