#include <utility>

#include <fmt/format.h>

#include "crosslane/d3d12.hpp"
#include "device/checks.hpp"
#include "device/d3d12/buffer.hpp"
#include "device/d3d12/command_list.hpp"
#include "device/d3d12/device.hpp"
#include "device/d3d12/features.hpp"

namespace crosslane::d3d12 {
namespace {

Expected<D3d12Device*> own_device(Device& device) {
  auto* const own = dynamic_cast<D3d12Device*>(&device);
  if (own == nullptr) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} is no device of the Direct3D 12 back end.", label(device.info())));
  }
  return own;
}

}  // namespace

Expected<std::unique_ptr<Device>> adopt(ID3D12Device* device, ID3D12CommandQueue* queue) {
  if (device == nullptr || queue == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null device or queue cannot be adopted; pass your program's.");
  }
  const auto loaded = api();
  if (!loaded) {
    return tl::unexpected<Error>(loaded.error());
  }
  auto state = std::make_shared<DeviceState>();
  state->api = *loaded;
  state->device = share(device);
  state->queue = share(queue);
  D3D12_COMMAND_QUEUE_DESC description{};
  queue->GetDesc(&description);
  state->list_type = description.Type;
  Adapter adapter;
  adapter.name = "the program's Direct3D 12 device";
  adapter.driver = "Direct3D 12";
  state->info = describe(*device, adapter, "d3d12");
  return check_result(queue->GetTimestampFrequency(&state->timestamp_frequency), "Asking for the clock")
      .map([&]() -> std::unique_ptr<Device> { return std::make_unique<D3d12Device>(std::move(state)); });
}

Expected<std::unique_ptr<Buffer>> adopt_buffer(Device& device, ID3D12Resource* buffer, std::uint64_t bytes,
                                               std::uint32_t states) {
  const auto own = own_device(device);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  if (buffer == nullptr || bytes == 0) {
    return fail(ErrorCode::invalid_argument, "A null buffer or one of 0 bytes cannot be adopted.");
  }
  return std::make_unique<D3d12Buffer>((*own)->state(), share(buffer), bytes,
                                       static_cast<D3D12_RESOURCE_STATES>(states));
}

Expected<std::unique_ptr<CommandList>> adopt_command_list(Device& device, ID3D12GraphicsCommandList* list) {
  const auto own = own_device(device);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  if (list == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null command list cannot be adopted.");
  }
  return std::make_unique<D3d12CommandList>((*own)->state(), share(list));
}

Expected<void> end_recording(Device& device, CommandList& list) {
  const auto own = own_device(device);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  return own_list(*(*own)->state(), list).and_then([](D3d12CommandList* adopted) { return adopted->end_adopted(); });
}

}  // namespace crosslane::d3d12
