// What a device says of itself.
#pragma once

#include "crosslane/device.hpp"
#include "device/d3d12/api.hpp"

namespace crosslane::d3d12 {

/// Asks the device; the adapter's words and the id come from the caller.
DeviceInfo describe(ID3D12Device& device, const Adapter& adapter, std::string id);

/// "6.6": the newest shader model that the device takes, of those that this build knows.
D3D_SHADER_MODEL newest_shader_model(ID3D12Device& device);

}  // namespace crosslane::d3d12
