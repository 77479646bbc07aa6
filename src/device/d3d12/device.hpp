// The Direct3D 12 back end's Device.
#pragma once

#include <memory>
#include <utility>

#include "device/d3d12/state.hpp"

namespace crosslane::d3d12 {

class D3d12Device final : public Device {
 public:
  explicit D3d12Device(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  [[nodiscard]] const DeviceInfo& info() const override { return state_->info; }
  Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription& description) override;
  Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& description) override;
  Expected<std::unique_ptr<CommandList>> create_command_list() override;
  Expected<void> submit(CommandList& list) override;
  Expected<void> wait(CommandList& list) override;
  Expected<std::vector<double>> timestamps(CommandList& list) override;

  [[nodiscard]] const std::shared_ptr<DeviceState>& state() const { return state_; }

 private:
  std::shared_ptr<DeviceState> state_;
};

}  // namespace crosslane::d3d12
