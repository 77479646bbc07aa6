#include <utility>

#include "crosslane/check.hpp"
#include "device/machine/device.hpp"
#include "sanitize/merge_findings.hpp"
#include "sanitize/sanitizers.hpp"

namespace crosslane {
namespace {

// Sanitizers of their own for each dispatch: nothing that ran before races with it.
class Watcher final : public DeviceCheck, public machine::Observer {
 public:
  Watcher(Device& device, Rules rules) : device_(device), rules_(rules) {}
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() override { static_cast<void>(machine::observe(device_, nullptr)); }

  CheckReport report() override {
    collect();
    sanitize::sort_findings(report_.findings);
    for (auto& finding : report_.findings) {
      finding.hint = sanitize::in_language(finding.hint, sanitize::Language::unknown);
    }
    return std::exchange(report_, {});
  }

  void on_dispatch(const machine::Program& program) override {
    collect();
    wave_size_ = program.wave_size;
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
  void on_no_progress(const machine::Group& group, std::uint64_t iterations) override {
    now_->on_no_progress(group, iterations);
  }
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
      const CheckRun run{.wave_size = wave_size_};
      sanitize::merge_findings(report_.findings, now_->take(), run);
      report_.runs.push_back(run);
      now_.reset();
    }
  }

  Device& device_;
  Rules rules_;
  sanitize::SourceText no_text_;
  std::uint32_t wave_size_ = 0;
  std::unique_ptr<sanitize::Sanitizers> now_;
  CheckReport report_;
};

}  // namespace

Expected<std::unique_ptr<DeviceCheck>> DeviceCheck::begin(Device& device, Rules rules) {
  auto watcher = std::make_unique<Watcher>(device, rules);
  if (auto watched =
          machine::watch(device, {.observer = watcher.get(), .instructions = false, .undefined_values = true});
      !watched) {
    return tl::unexpected<Error>(std::move(watched.error()));
  }
  return watcher;
}

}  // namespace crosslane
