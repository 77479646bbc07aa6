// All sanitizers of one run, behind one observer.
#pragma once

#include <optional>
#include <vector>

#include "machine/observer.hpp"
#include "sanitize/barrier_divergence.hpp"
#include "sanitize/buffer_bounds.hpp"
#include "sanitize/global_race.hpp"
#include "sanitize/groupshared_race.hpp"
#include "sanitize/missing_coherent.hpp"
#include "sanitize/no_progress.hpp"
#include "sanitize/non_uniform_broadcast.hpp"
#include "sanitize/oversized_shuffle.hpp"
#include "sanitize/race_detector.hpp"
#include "sanitize/reporter.hpp"
#include "sanitize/undefined_value.hpp"

namespace crosslane::sanitize {

class Sanitizers final : public machine::Observer {
 public:
  Sanitizers(const machine::Program& program, Rules rules, const SourceText& text,
             std::vector<BindingPlace> made_up = {});
  Sanitizers(const Sanitizers&) = delete;
  Sanitizers& operator=(const Sanitizers&) = delete;

  [[nodiscard]] std::vector<Finding> take() { return reporter_.take(); }

  /// The store, a place in Program::sources, that last wrote what is at an offset of a binding.
  [[nodiscard]] std::optional<std::uint32_t> last_writer(std::uint32_t set, std::uint32_t slot, std::uint32_t element,
                                                         std::uint64_t offset);
  [[nodiscard]] FindingLocation store_location(std::uint32_t source) const {
    return reporter_.location(source, "wrote it last");
  }

  void on_group(const machine::Wave& first_wave) override { races_.on_group(first_wave); }
  void on_group_end(const machine::Group& group) override { races_.on_group_end(group); }
  void on_access(const machine::Wave& wave, const machine::OpSource& source,
                 const machine::MemoryEvent& event) override {
    bounds_.on_access(wave, source, event);
    races_.on_access(wave, source, event);
  }
  void on_cross_lane(const machine::Wave& wave, const machine::OpSource& source,
                     const machine::CrossLaneEvent& event) override {
    broadcast_.on_cross_lane(wave, source, event);
    oversized_.on_cross_lane(wave, source, event);
  }
  void on_barrier_passed(const machine::Group& group, const machine::BarrierPlan& plan) override {
    races_.on_barrier_passed(group, plan);
  }
  void on_barrier_missed(const machine::Group& group) override { barrier_.on_barrier_missed(group); }
  void on_fence(const machine::Wave& wave, const machine::OpSource& source, const machine::BarrierPlan& plan) override {
    races_.on_fence(wave, source, plan);
  }
  void on_no_progress(const machine::Group& group, std::uint64_t iterations) override {
    progress_.on_no_progress(group, iterations);
  }
  bool on_undefined(const machine::Wave& wave, const machine::OpSource& source,
                    const machine::UndefinedEvent& event) override {
    return undefined_.on_undefined(wave, source, event);
  }
  void on_undefined_use(const machine::Wave& wave, const machine::OpSource& source,
                        const machine::UndefinedUse& use) override {
    undefined_.on_undefined_use(wave, source, use);
  }

 private:
  Reporter reporter_;
  RaceDetector races_;
  GroupsharedRace groupshared_race_;
  GlobalRace global_race_;
  MissingCoherent missing_coherent_;
  BufferBounds bounds_;
  BarrierDivergence barrier_;
  NoProgress progress_;
  NonUniformBroadcast broadcast_;
  OversizedShuffle oversized_;
  UndefinedValue undefined_;
};

}  // namespace crosslane::sanitize
