// The descriptors of a command list.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/d3d12/views.hpp"

namespace crosslane::d3d12 {

/// A descriptor, as the host writes it and as the device reads it.
struct DescriptorPlace {
  D3D12_CPU_DESCRIPTOR_HANDLE host{};
  D3D12_GPU_DESCRIPTOR_HANDLE device{};
};

/// Descriptors of one list; they live as long as it. Heaps are added when one is full.
class Descriptors {
 public:
  explicit Descriptors(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  /// Room for `count` side by side; `commands` gets the heap that they lie in.
  Expected<DescriptorPlace> take(ID3D12GraphicsCommandList& commands, std::uint32_t count);
  /// One that the device does not read, as fills want beside the other.
  Expected<D3D12_CPU_DESCRIPTOR_HANDLE> take_for_host();
  /// Writes these views side by side.
  void write(std::span<const BoundView> views, DescriptorPlace first);

 private:
  struct Heap {
    Reference<ID3D12DescriptorHeap> heap;
    std::uint32_t size = 0;
    std::uint32_t used = 0;
  };
  Expected<void> add(std::vector<Heap>& heaps, std::uint32_t count, bool for_device);

  std::shared_ptr<DeviceState> state_;
  std::vector<Heap> heaps_;
  std::vector<Heap> host_heaps_;
};

}  // namespace crosslane::d3d12
