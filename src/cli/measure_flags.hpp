// How long and on what things are measured: the flags that `bench`, `decide` and `report` share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/shader_pair.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/machine.hpp"
#include "measure/rounds.hpp"
#include "measure/workload.hpp"

namespace CLI {
class App;
}

namespace crosslane::cli {

struct MeasureFlags {
  std::string device = "auto";  ///< or "all"
  std::optional<std::uint64_t> size;
  std::vector<std::uint64_t> sizes;  ///< to measure at, rising; empty: one
  std::string type;                  ///< empty: the algorithm's usual one
  std::uint64_t points = 8;
  bool hot = false;
  bool cold = false;  ///< as without both
  double min_seconds = 0.0;
  double max_seconds = 2.0;
  std::uint64_t iterations = machine::default_iterations;

  /// Of `count` elements; nothing: the usual number.
  [[nodiscard]] measure::WorkloadOptions workload(const measure::MeasuredAlgorithm& algorithm,
                                                  std::optional<std::uint64_t> count) const;
  [[nodiscard]] measure::WorkloadOptions workload(const measure::MeasuredAlgorithm& algorithm) const {
    return workload(algorithm, size);
  }
  [[nodiscard]] measure::RoundsOptions rounds() const;
};

/// Declares --size, --type, --points, --device, --cold, --hot, --min-time, --max-time and --iterations.
void add_measure_flags(CLI::App& parser, MeasureFlags& flags);
/// Declares --sizes, after them.
void add_sizes_flag(CLI::App& parser, MeasureFlags& flags);

/// Numbers of elements from "256,4096" or "2^8..2^24": from one to the other by factors of 4, both included. Rising,
/// each once. Errors: `invalid_argument` for anything else.
Expected<std::vector<std::uint64_t>> parse_sizes(const std::string& text);

/// Errors: `invalid_argument` where the least time is longer than the most.
Expected<void> check_times(const CLI::App& parser, const MeasureFlags& flags);
/// Errors: those of check_times; `invalid_argument` for flags that mean nothing where `what` is measured ("reduce",
/// "exchange", "all"), or where two shaders are, and for those of `pair` where no pair is given.
Expected<void> check_measure_flags(const CLI::App& parser, const MeasureFlags& flags, const std::string& what,
                                   const PairFlags& pair);

/// Where all algorithms are measured: that this one has not the type asked for, and which it takes; else empty. Errors:
/// `invalid_argument` where it alone is meant.
Expected<std::string> type_note(const MeasureFlags& flags, const std::string& what,
                                const measure::MeasuredAlgorithm& algorithm);

}  // namespace crosslane::cli
