// The Direct3D 12 back end: devices of this machine, or the caller's own device, queue and command lists. In builds
// with CROSSLANE_D3D12.
//
// On Windows it is the system's Direct3D 12, elsewhere vkd3d, whose interfaces are the same.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crosslane/device.hpp"

struct ID3D12CommandQueue;
struct ID3D12Device;
struct ID3D12GraphicsCommandList;
struct ID3D12Resource;

namespace crosslane::d3d12 {

struct InstanceOptions {
  /// Turns on Direct3D 12's debug layer where it is installed, which speaks to the debugger.
  bool validation = false;
};

/// What Direct3D 12 sees here, and the devices made of it. Outlives the devices it opens.
class Instance {
 public:
  virtual ~Instance() = default;
  /// What each device says of itself; ids are "d3d12:0", "d3d12:1", …
  [[nodiscard]] virtual const std::vector<DeviceInfo>& devices() const = 0;
  /// Opens a device by its place in `devices()`.
  [[nodiscard]] virtual Expected<std::unique_ptr<Device>> open(std::size_t index) = 0;
};

/// Loads Direct3D 12. Errors: `device` where there is none.
Expected<std::unique_ptr<Instance>> create_instance(const InstanceOptions& options = {});

/// Makes a Device of a program's own; both stay the caller's and are kept alive. The queue is of type compute or
/// direct, of the same type as the lists that are adopted. Errors: `invalid_argument` for null.
Expected<std::unique_ptr<Device>> adopt(ID3D12Device* device, ID3D12CommandQueue* queue);

/// Makes a Buffer of the first `bytes` bytes of the caller's buffer on the default heap, made with
/// D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS if it is written. `states` are the D3D12_RESOURCE_STATES that it is in
/// where a list begins to use it; 0 is the common state. Errors: `invalid_argument` for null, and devices of other
/// kinds.
Expected<std::unique_ptr<Buffer>> adopt_buffer(Device& device, ID3D12Resource* buffer, std::uint64_t bytes,
                                               std::uint32_t states = 0);

/// Makes a CommandList that records into the caller's, which is open. It cannot be submitted through Device::submit;
/// keep it until the caller's has finished, since it owns the descriptors. Afterwards the caller's list has another
/// pipeline, compute root signature and descriptor heaps: set yours again.
Expected<std::unique_ptr<CommandList>> adopt_command_list(Device& device, ID3D12GraphicsCommandList* list);

/// Ends recording into an adopted list: buffers go back to the states in which they were adopted. Call it once, after
/// the last command. Errors: `invalid_argument` for lists that were not adopted.
Expected<void> end_recording(Device& device, CommandList& list);

}  // namespace crosslane::d3d12
