// A device of the wave machine that keeps what each dispatch is given, for the checker to run it again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "crosslane/check.hpp"
#include "crosslane/device.hpp"

namespace crosslane::test {

/// A dispatch as a request to the checker; `spirv` of the request shows `words`.
struct CapturedDispatch {
  std::string kernel;
  std::vector<std::uint32_t> words;
  CheckRequest request;
};

/// Runs every command at once, when it is recorded. Dispatches are kept by the name of their kernel: the first of each.
class CapturingDevice final : public Device {
 public:
  explicit CapturingDevice(std::uint32_t wave_size);

  [[nodiscard]] const std::map<std::string, CapturedDispatch>& dispatches() const { return dispatches_; }
  void capture(const std::string& kernel, const CapturedDispatch& dispatch);
  [[nodiscard]] Device& machine() { return *machine_; }

  [[nodiscard]] const DeviceInfo& info() const override { return machine_->info(); }
  [[nodiscard]] Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription& description) override {
    return machine_->create_buffer(description);
  }
  [[nodiscard]] Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& description) override;
  [[nodiscard]] Expected<std::unique_ptr<CommandList>> create_command_list() override;
  [[nodiscard]] Expected<void> submit(CommandList& /*list*/) override { return {}; }
  [[nodiscard]] Expected<void> wait(CommandList& /*list*/) override { return {}; }
  [[nodiscard]] Expected<std::vector<double>> timestamps(CommandList& /*list*/) override {
    return std::vector<double>{};
  }

 private:
  std::unique_ptr<Device> machine_;
  std::map<std::string, CapturedDispatch> dispatches_;
};

}  // namespace crosslane::test
