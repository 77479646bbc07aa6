#include <utility>

#include <fmt/format.h>

#include "crosslane/d3d12.hpp"
#include "device/checks.hpp"
#include "device/d3d12/command_list.hpp"
#include "device/d3d12/device.hpp"
#include "device/d3d12/features.hpp"

namespace crosslane::d3d12 {
namespace {

Expected<Reference<ID3D12Device>> make_device(const Api& api, const Adapter& adapter) {
  return made<ID3D12Device>(fmt::format("Making a Direct3D 12 device of {}", adapter.name),
                            [&](REFIID id, void** place) {
                              return api.create_device(adapter.object.get(), D3D_FEATURE_LEVEL_11_0, id, place);
                            });
}

class OwnInstance final : public Instance {
 public:
  static Expected<std::unique_ptr<Instance>> create(const InstanceOptions& options) {
    auto loaded = api();
    if (!loaded) {
      return tl::unexpected<Error>(std::move(loaded.error()));
    }
    if (options.validation) {
      static_cast<void>(enable_debug_layer(**loaded));
    }
    auto instance = std::make_unique<OwnInstance>();
    instance->api_ = *loaded;
    auto found = adapters(**loaded);
    if (!found) {
      return tl::unexpected<Error>(std::move(found.error()));
    }
    instance->adapters_ = *std::move(found);
    for (const Adapter& adapter : instance->adapters_) {
      const auto device = make_device(**loaded, adapter);
      if (!device) {
        return tl::unexpected<Error>(device.error());
      }
      instance->devices_.push_back(describe(**device, adapter, fmt::format("d3d12:{}", instance->devices_.size())));
    }
    return instance;
  }

  [[nodiscard]] const std::vector<DeviceInfo>& devices() const override { return devices_; }

  Expected<std::unique_ptr<Device>> open(std::size_t index) override {
    if (index >= devices_.size()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("There is no Direct3D 12 device {}; there are {}.", index, devices_.size()));
    }
    auto state = std::make_shared<DeviceState>();
    state->api = api_;
    state->info = devices_[index];
    auto device = make_device(*api_, adapters_[index]);
    if (!device) {
      return tl::unexpected<Error>(std::move(device.error()));
    }
    state->device = *std::move(device);
    D3D12_COMMAND_QUEUE_DESC description{};
    description.Type = state->list_type;
    auto queue = made<ID3D12CommandQueue>("Making a compute queue", [&](REFIID id, void** place) {
      return state->device->CreateCommandQueue(&description, id, place);
    });
    if (!queue) {
      return tl::unexpected<Error>(std::move(queue.error()));
    }
    set_name(**queue, "Crosslane compute queue");
    state->queue = *std::move(queue);
    return check_result(state->queue->GetTimestampFrequency(&state->timestamp_frequency), "Asking for the clock")
        .map([&]() -> std::unique_ptr<Device> { return std::make_unique<D3d12Device>(std::move(state)); });
  }

 private:
  const Api* api_ = nullptr;
  std::vector<Adapter> adapters_;
  std::vector<DeviceInfo> devices_;
};

}  // namespace

Expected<std::unique_ptr<Instance>> create_instance(const InstanceOptions& options) {
  return OwnInstance::create(options);
}

}  // namespace crosslane::d3d12
