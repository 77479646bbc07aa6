// Comparisons of values with a constant as ranges of numbers that order as the values do
// (kernels/compact/selection.hlsli).
#pragma once

#include <cstdint>

#include "crosslane/compaction.hpp"

namespace crosslane {

/// Values are numbered by their bits: unsigned ones as they are; signed ones with the sign turned; floats the same
/// where positive, and with all bits turned where negative. So -NaN comes first, then -infinity … -0, +0 … +infinity,
/// NaN. A value is kept if its number lies from `first` to `first` + `more`, or outside where `inverted`.
struct ValueRange {
  std::uint64_t first = 0;
  std::uint64_t more = 0;
  bool inverted = false;
};

ValueRange range_of(const ByComparison& condition);

/// The number of the value with those bits.
std::uint64_t value_number(ScalarType type, std::uint64_t bits);

}  // namespace crosslane
