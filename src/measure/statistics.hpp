// What samples of a time say: the middle, how sure it is, what stands out, and whether it moved meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosslane::measure {

struct Interval {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};

/// A median and the interval that holds the true one with the confidence asked for.
struct Estimate {
  double median = 0.0;
  Interval interval = {};

  /// The interval's width over the median.
  [[nodiscard]] double relative_width() const;
};

struct BootstrapOptions {
  double confidence = 0.95;
  std::uint32_t resamples = 1000;
  std::uint64_t seed = 1;  ///< same samples, same interval
};

/// The median of independent samples, by the percentile bootstrap (B. Efron 1979), the interval one sample wider on
/// both sides. Of fewer than 6 samples no interval can have 95 %: it is then as wide as they are. 0 of none.
Estimate estimate_median(std::span<const double> samples, const BootstrapOptions& options = {});

/// The ratio a / b of two things that were sampled in turns: the median of the ratios of each round, so that what slows
/// both in a round cancels. Both have as many samples, none of b is 0.
Estimate estimate_ratio(std::span<const double> a, std::span<const double> b, const BootstrapOptions& options = {});

/// The places of samples that lie further from the median than 5 standard deviations of a normal distribution with the
/// samples' median absolute deviation. They are shown, and count like all others.
std::vector<std::size_t> outliers(std::span<const double> samples);

/// How the second half of the samples compares with the first.
struct Drift {
  double relative = 0.0;     ///< 0.02: slower by 2 %
  bool significant = false;  ///< more than 1 %, and with 99 % confidence no chance
};

Drift find_drift(std::span<const double> samples);

}  // namespace crosslane::measure
