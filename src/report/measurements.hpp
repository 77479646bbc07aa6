// What `crosslane bench` and `crosslane decide` found, read back from their JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crosslane/error.hpp"
#include "report/json.hpp"

namespace crosslane::report {

/// A median and its 95 % interval.
struct Estimate {
  double median = 0.0;
  double low = 0.0;
  double high = 0.0;
};

struct MeasuredDevice {
  std::string label;  ///< its name, with a number behind it where another device has the same
  std::string name;
  std::string kind;
  std::string vendor;
  std::string driver;
  std::string driver_version;
  std::string api_version;
  std::string uuid;
  std::uint64_t least_wave_size = 0;
  std::uint64_t largest_wave_size = 0;
  std::uint64_t standard_wave_size = 0;
};

struct MethodTime {
  std::string name;
  std::string problem;  ///< why it was not timed, or what to know of it
  std::optional<Estimate> time_ms;
  std::optional<Estimate> relative;  ///< the time of `groupshared` over its own
  std::optional<double> gb_per_s;
  std::optional<double> gflops;
  std::optional<double> mpixel_per_s;
  std::optional<Estimate> memory_fraction;
  std::uint64_t launches = 0;
  std::size_t samples = 0;
  std::size_t outliers = 0;
  bool drifted = false;
};

struct BenchmarkTimes {
  std::string algorithm;
  std::string title;
  std::string work;         ///< the title without any size
  std::uint64_t count = 0;  ///< elements
  std::string bytes_formula;
  std::string operations_formula;
  std::string stop;
  std::vector<MethodTime> methods;
  std::optional<MethodTime> memory;
};

struct ExchangeTime {
  std::string kind;
  std::uint64_t threads = 0;  ///< of the thread group
  std::optional<Estimate> nanoseconds;
  std::optional<double> cycles;
  std::optional<double> steps_per_second;
  std::string problem;
};

/// One device at one wave size.
struct MeasuredRun {
  std::size_t device = 0;  ///< place in `devices`
  std::uint64_t wave_size = 0;
  bool cold = true;
  std::string crosslane;  ///< the version that measured
  std::vector<BenchmarkTimes> benchmarks;
  std::vector<ExchangeTime> exchange;
  std::string clock_note;
};

/// Of the wave machine.
struct CountedKernel {
  std::string algorithm;
  std::string method;
  std::uint64_t wave_size = 0;
  std::uint64_t count = 0;  ///< elements
  std::uint64_t waves = 0;
  std::uint64_t instructions = 0;  ///< of lanes
  std::uint64_t groupshared_accesses = 0;
  std::uint64_t shuffles = 0;
  std::uint64_t bytes = 0;  ///< of buffers
  std::uint64_t barriers = 0;
  double conflict_factor = 1.0;
  std::string note;
};

struct DecidedStep {
  std::string name;
  std::optional<bool> passed;
  std::string found;
  std::string reason;
};

struct DecidedMethod {
  std::size_t device = 0;
  std::string algorithm;
  std::string title;
  std::string decision;
  std::string reason;
  std::vector<DecidedStep> steps;
  std::optional<Estimate> gain;
  double threshold = 0.0;
  bool software = false;
};

struct Measurements {
  std::vector<MeasuredDevice> devices;
  std::vector<MeasuredRun> runs;
  std::vector<CountedKernel> counts;
  std::vector<DecidedMethod> decisions;
  std::vector<std::string> notes;
};

/// Reads one document of `crosslane bench --json`, `crosslane decide --json` or merge_documents; `name` is its name for
/// messages. Errors: `invalid_input`, naming the value that is missing or something else.
Expected<Measurements> read_measurements(const Json& document, const std::string& name);

/// One document with all that the given ones hold, what several hold once. read_measurements has read each of them.
Json merge_documents(const std::vector<Json>& documents);

}  // namespace crosslane::report
