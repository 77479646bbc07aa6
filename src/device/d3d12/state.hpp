// What the objects of the Direct3D 12 back end share.
#pragma once

#include <cstdint>
#include <memory>

#include "crosslane/device.hpp"
#include "device/d3d12/api.hpp"
#include "device/d3d12/com.hpp"

namespace crosslane::d3d12 {

/// A device, ours or the caller's. Buffers, pipelines and command lists keep it alive.
struct DeviceState {
  const Api* api = nullptr;
  Reference<ID3D12Device> device;
  Reference<ID3D12CommandQueue> queue;
  DeviceInfo info;
  D3D12_COMMAND_LIST_TYPE list_type = D3D12_COMMAND_LIST_TYPE_COMPUTE;  ///< that the queue takes
  std::uint64_t timestamp_frequency = 0;                                ///< ticks in a second
};

}  // namespace crosslane::d3d12
