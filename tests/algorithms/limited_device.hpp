// A device that says it can do less than it can, so that small tests take the paths of large inputs.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "crosslane/device.hpp"

namespace crosslane::test {

class LimitedDevice : public Device {
 public:
  LimitedDevice(Device& device, std::uint64_t binding_bytes, std::uint32_t groups)
      : device_(device), info_(device.info()) {
    info_.limits.binding_bytes = binding_bytes;
    info_.limits.groups = {groups, groups, groups};
  }

  DeviceFeatures& features() { return info_.features; }

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription& description) override {
    return device_.create_buffer(description);
  }
  [[nodiscard]] Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& description) override {
    return device_.create_pipeline(description);
  }
  [[nodiscard]] Expected<std::unique_ptr<CommandList>> create_command_list() override {
    return device_.create_command_list();
  }
  [[nodiscard]] Expected<void> submit(CommandList& list) override { return device_.submit(list); }
  [[nodiscard]] Expected<void> wait(CommandList& list) override { return device_.wait(list); }
  [[nodiscard]] Expected<std::vector<double>> timestamps(CommandList& list) override {
    return device_.timestamps(list);
  }

 private:
  Device& device_;
  DeviceInfo info_;
};

}  // namespace crosslane::test
