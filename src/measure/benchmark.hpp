// A workload by several methods: verified, then measured in turns with each other and with the device's own speed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measure/rounds.hpp"
#include "measure/statistics.hpp"
#include "measure/workload.hpp"

namespace crosslane::measure {

struct BenchmarkOptions {
  std::vector<Method> methods = {Method::groupshared, Method::shuffle, Method::wave_intrinsics};
  RoundsOptions rounds = {};
  double sample_ms = 1.0;  ///< a sample lasts about so long
  bool bandwidth = true;   ///< measures the device's own speed too
  bool verify = true;
};

/// One thing that was measured in turns with others.
struct Measured {
  std::string name;
  std::string note;   ///< why another method ran than the one asked for, or none
  std::string fault;  ///< what is wrong with its results; then it was not timed
  std::uint32_t launches = 0;
  std::uint32_t repeats = 0;     ///< in a sample
  std::vector<double> times_ms;  ///< samples in their order, of one run; empty where it was not timed
  Estimate time_ms = {};
  std::optional<Estimate> relative = {};            ///< how many times as fast as the first one that was timed
  std::optional<Estimate> bandwidth_fraction = {};  ///< of the device's own speed for as many bytes
  Drift drift = {};
  std::vector<std::size_t> outliers = {};

  [[nodiscard]] bool timed() const { return !times_ms.empty(); }
};

struct Benchmark {
  std::string algorithm;
  std::string title;
  std::string work;  ///< the title without any size
  std::string element;
  std::uint64_t count = 0;
  WorkCost cost;
  std::size_t sets = 1;
  std::vector<Measured> methods;
  std::optional<Measured> stream;  ///< the device's own speed
  Stop stop = Stop::narrow;
  double seconds = 0.0;  ///< that measuring took

  /// What was timed under that name, or null.
  [[nodiscard]] const Measured* find(std::string_view name) const;
  /// False where results were wrong.
  [[nodiscard]] bool right() const;
};

/// How much faster shuffles are than groupshared memory, 0.2 for 20 %; nothing where one was not timed.
std::optional<Estimate> gain_of(const Benchmark& benchmark);

/// Measures anything that takes turns on `sets` sets: time, ratios, outliers, drift. What has a fault is left out.
/// Errors: those of the works and the device.
Expected<Stop> measure_in_turns(Device& device, std::vector<Measured>& rows, const std::vector<const Work*>& works,
                                std::size_t sets, const BenchmarkOptions& options);

/// Verifies the workload's results by each method, and measures those that are right. Methods that the device cannot
/// run have a note that says why. Errors: those of the device.
Expected<Benchmark> run_benchmark(Device& device, const Workload& workload, const BenchmarkOptions& options = {});

}  // namespace crosslane::measure
