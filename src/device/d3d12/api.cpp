#include "device/d3d12/api.hpp"

namespace crosslane::d3d12 {

bool enable_debug_layer(const Api& api) {
  void* place = nullptr;
  const GUID id = uuidof<ID3D12Debug>();
  if (api.get_debug_interface == nullptr || FAILED(api.get_debug_interface(id, &place)) || place == nullptr) {
    return false;
  }
  const Reference<ID3D12Debug> debug(static_cast<ID3D12Debug*>(place));
  debug->EnableDebugLayer();
  return true;
}

}  // namespace crosslane::d3d12
