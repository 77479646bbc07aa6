// Sanitizers for whatever runs on a device of the wave machine: a set of them for each dispatch.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "crosslane/check.hpp"
#include "sanitize/sanitizers.hpp"

namespace crosslane::sanitize {

/// Give it to machine::watch() with `undefined_values`.
class DispatchWatcher final : public machine::Observer {
 public:
  explicit DispatchWatcher(Rules rules) : rules_(rules) {}

  /// What all dispatches since the last call showed.
  [[nodiscard]] std::vector<Finding> take() {
    collect();
    return std::exchange(findings_, {});
  }

  void on_dispatch(const machine::Program& program) override {
    collect();
    now_ = std::make_unique<Sanitizers>(program, rules_, no_text_);
  }
  void on_group(const machine::Wave& first_wave) override { now_->on_group(first_wave); }
  void on_group_end(const machine::Group& group) override { now_->on_group_end(group); }
  void on_access(const machine::Wave& wave, const machine::OpSource& source,
                 const machine::MemoryEvent& event) override {
    now_->on_access(wave, source, event);
  }
  void on_cross_lane(const machine::Wave& wave, const machine::OpSource& source,
                     const machine::CrossLaneEvent& event) override {
    now_->on_cross_lane(wave, source, event);
  }
  void on_barrier_passed(const machine::Group& group, const machine::BarrierPlan& plan) override {
    now_->on_barrier_passed(group, plan);
  }
  void on_barrier_missed(const machine::Group& group) override { now_->on_barrier_missed(group); }
  void on_fence(const machine::Wave& wave, const machine::OpSource& source, const machine::BarrierPlan& plan) override {
    now_->on_fence(wave, source, plan);
  }
  void on_no_progress(const machine::Group& group) override { now_->on_no_progress(group); }
  bool on_undefined(const machine::Wave& wave, const machine::OpSource& source,
                    const machine::UndefinedEvent& event) override {
    return now_->on_undefined(wave, source, event);
  }
  void on_undefined_use(const machine::Wave& wave, const machine::OpSource& source,
                        const machine::UndefinedUse& use) override {
    now_->on_undefined_use(wave, source, use);
  }

 private:
  void collect() {
    if (now_ != nullptr) {
      for (auto& finding : now_->take()) {
        findings_.push_back(std::move(finding));
      }
      now_.reset();
    }
  }

  Rules rules_;
  SourceText no_text_;
  std::unique_ptr<Sanitizers> now_;
  std::vector<Finding> findings_;
};

}  // namespace crosslane::sanitize
