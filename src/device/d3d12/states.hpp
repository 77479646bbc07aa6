// In which state each buffer of a command list is, and the transitions between.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "device/d3d12/buffer.hpp"
#include "device/d3d12/views.hpp"

namespace crosslane::d3d12 {

/// Direct3D 12 wants to be told where a buffer's use changes; Crosslane's lists name only barriers. So each use is
/// asked for here first, and a transition is recorded where it differs from the one before.
class BufferStates {
 public:
  explicit BufferStates(ID3D12GraphicsCommandList* commands) : commands_(commands) {}

  /// For a copy, a fill or the arguments of a dispatch.
  void use(D3d12Buffer& buffer, D3D12_RESOURCE_STATES state);
  /// For a dispatch: a buffer that it both reads and writes is one that it writes.
  void use(std::span<const BoundView> views);
  /// What was written before is there for all that follows.
  void barrier();
  /// Back to the states in which the buffers are outside of lists.
  void restore();

 private:
  void transition(ID3D12Resource* resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after);
  void flush();

  ID3D12GraphicsCommandList* commands_;
  std::map<D3d12Buffer*, D3D12_RESOURCE_STATES> current_;
  std::vector<D3D12_RESOURCE_BARRIER> pending_;
};

}  // namespace crosslane::d3d12
