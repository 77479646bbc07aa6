// The work behind `crosslane bench`: what is measured, on which devices, at which wave sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/measure_flags.hpp"
#include "cli/progress.hpp"
#include "cli/shader_pair.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "measure/benchmark.hpp"
#include "measure/counts.hpp"
#include "measure/exchange.hpp"

namespace crosslane::cli {

struct BenchFlags {
  std::string what = "all";
  MeasureFlags measure;
  PairFlags pair;
  std::string method = "all";
  std::vector<std::uint32_t> wave_sizes;
  bool counts = false;
  bool csv = false;  ///< which has no place for exchanges: with "all" they are not measured
  /// Without --sizes, smaller sizes than the usual one too.
  bool scaling = false;
};

/// Counts of one algorithm at the sizes of the article, and those of the device.
struct BenchCounts {
  std::string algorithm;
  std::vector<measure::CountRow> rows;
};

/// What was measured on one device at one wave size.
struct BenchRun {
  DeviceInfo device;
  std::uint32_t wave_size = 0;
  std::vector<measure::Benchmark> benchmarks;
  std::optional<measure::Exchange> exchange;

  [[nodiscard]] bool right() const;
};

struct BenchReport {
  bool hot = false;
  std::vector<BenchRun> runs;
  std::vector<BenchCounts> counts;
  std::vector<std::string> notes;

  [[nodiscard]] bool right() const;
};

/// The devices that --device means, opened; all of this host for "all". Errors: those of choosing and opening.
Expected<std::vector<std::unique_ptr<Device>>> open_measured_devices(const MeasureFlags& flags, const Console& console);

/// Errors: those of flags, files and devices.
Expected<BenchReport> run_bench(const BenchFlags& flags, const Console& console);

}  // namespace crosslane::cli
