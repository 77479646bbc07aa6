// One run of a shader under the sanitizers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "crosslane/check.hpp"
#include "sanitize/outputs.hpp"
#include "sanitize/source_text.hpp"

namespace crosslane::sanitize {

/// In which order a run goes, on which device.
struct Order {
  ScheduleKind schedule = ScheduleKind::rising;
  LaneLayout layout = LaneLayout::linear;
  std::uint32_t reported_lanes = 0;  ///< see CheckRun
};

/// What a run left.
struct RunResult {
  CheckRun run;
  std::vector<Finding> findings;
  Outputs outputs;  ///< empty where it did not finish
  /// Which store wrote each number of each output last: a place in `stores` plus one; 0 for none.
  std::vector<std::vector<std::uint32_t>> writers;
  std::vector<FindingLocation> stores;

  /// Whether it went round a loop without end.
  [[nodiscard]] bool endless() const;
};

/// A shader made ready for one wave size, to run in different orders.
class SizedShader {
 public:
  /// Errors: those of making the pipeline.
  static Expected<SizedShader> create(const CheckRequest& request, const CheckOptions& options,
                                      std::uint32_t wave_size);

  [[nodiscard]] const std::array<std::uint32_t, 3>& group_size() const { return group_size_; }
  /// Errors: those of binding, and `invalid_input` for a run that stopped at what no finding tells.
  /// Several may run at once, with a device of their own each. `most_iterations` as in CheckOptions.
  [[nodiscard]] Expected<RunResult> run(const Order& order, const SourceText& text,
                                        std::uint64_t most_iterations) const;

 private:
  const CheckRequest* request_ = nullptr;
  const CheckOptions* options_ = nullptr;
  std::uint32_t wave_size_ = 0;
  std::array<std::uint32_t, 3> group_size_{};
  std::unique_ptr<Pipeline> pipeline_;
  std::unique_ptr<Pipeline> independent_;  ///< its lanes may go on one by one
};

}  // namespace crosslane::sanitize
