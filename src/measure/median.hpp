// The middle of a list of measurements.
#pragma once

#include <vector>

namespace crosslane::measure {

/// The middle value, or the mean of the two in the middle; 0 of none. Values are finite.
double median(std::vector<double> values);

}  // namespace crosslane::measure
