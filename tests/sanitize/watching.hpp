// Sanitizers for whatever runs on a device of the wave machine: a set of them for each dispatch.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crosslane/check.hpp"
#include "device/machine/device.hpp"
#include "sanitize/describe.hpp"
#include "sanitize/sanitizers.hpp"
#include "support/expected.hpp"

namespace crosslane::test {

class Watching final : public machine::Observer {
 public:
  Watching(Device& device, Rules rules) : rules_(rules) {
    must(machine::watch(device, {.observer = this, .undefined_values = true}));
  }

  /// What all dispatches so far showed, as text; empty where there is nothing but notes.
  [[nodiscard]] std::string faults() {
    collect();
    CheckReport report;
    for (auto& finding : findings_) {
      if (finding.severity != Severity::note) {
        report.findings.push_back(std::move(finding));
      }
    }
    findings_.clear();
    return describe(report);
  }

  void on_dispatch(const machine::Program& program) override {
    collect();
    now_ = std::make_unique<sanitize::Sanitizers>(program, rules_, no_text_);
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
    }
  }

  Rules rules_;
  sanitize::SourceText no_text_;
  std::unique_ptr<sanitize::Sanitizers> now_;
  std::vector<Finding> findings_;
};

}  // namespace crosslane::test
