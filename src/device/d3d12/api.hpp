// The functions by which Direct3D 12 is entered: of d3d12.dll and dxgi.dll on Windows, of vkd3d elsewhere.
#pragma once

#include <string>
#include <vector>

#include "device/d3d12/com.hpp"

namespace crosslane::d3d12 {

/// One adapter: what it is called, and the object that a device is made of, which vkd3d has none of.
struct Adapter {
  Reference<IUnknown> object;
  std::string name;
  std::string vendor;
  std::string driver;          ///< "vkd3d", "Direct3D 12"
  std::string driver_version;  ///< as it is shown
  std::string uuid;            ///< 32 hexadecimal digits
  bool software = false;
};

/// Loaded when first used; stays until the process ends.
struct Api {
  HRESULT(WINAPI* create_device)(IUnknown*, D3D_FEATURE_LEVEL, const GUID&, void**) = nullptr;
  HRESULT(WINAPI* get_debug_interface)(const GUID&, void**) = nullptr;
  HRESULT(WINAPI* serialize_root_signature)
  (const D3D12_ROOT_SIGNATURE_DESC*, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob**, ID3DBlob**) = nullptr;
};

/// Errors: `device` where there is no Direct3D 12, naming what was tried and the mend.
Expected<const Api*> api();

/// The adapters that there are, the fastest first.
Expected<std::vector<Adapter>> adapters(const Api& api);

/// Turns the API's own checks on for devices made from now on; false where they are not installed.
bool enable_debug_layer(const Api& api);

}  // namespace crosslane::d3d12
