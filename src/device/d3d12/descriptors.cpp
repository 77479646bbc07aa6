#include "device/d3d12/descriptors.hpp"

#include <algorithm>

namespace crosslane::d3d12 {
namespace {

constexpr std::uint32_t descriptors_per_heap = 512;

D3D12_CPU_DESCRIPTOR_HANDLE host_start(ID3D12DescriptorHeap& heap) {
  D3D12_CPU_DESCRIPTOR_HANDLE start{};
  heap.GetCPUDescriptorHandleForHeapStart(&start);
  return start;
}

D3D12_GPU_DESCRIPTOR_HANDLE device_start(ID3D12DescriptorHeap& heap) {
  D3D12_GPU_DESCRIPTOR_HANDLE start{};
  heap.GetGPUDescriptorHandleForHeapStart(&start);
  return start;
}

}  // namespace

Expected<void> Descriptors::add(std::vector<Heap>& heaps, std::uint32_t count, bool for_device) {
  D3D12_DESCRIPTOR_HEAP_DESC description{};
  description.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
  description.NumDescriptors = std::max(count, descriptors_per_heap);
  description.Flags = for_device ? D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE : D3D12_DESCRIPTOR_HEAP_FLAG_NONE;
  return made<ID3D12DescriptorHeap>(
             "Making a descriptor heap",
             [&](REFIID id, void** place) { return state_->device->CreateDescriptorHeap(&description, id, place); })
      .map([&](Reference<ID3D12DescriptorHeap> heap) {
        set_name(*heap, "Crosslane descriptors");
        heaps.push_back({std::move(heap), description.NumDescriptors, 0});
      });
}

Expected<DescriptorPlace> Descriptors::take(ID3D12GraphicsCommandList& commands, std::uint32_t count) {
  if (heaps_.empty() || heaps_.back().size - heaps_.back().used < count) {
    if (auto added = add(heaps_, count, true); !added) {
      return tl::unexpected<Error>(std::move(added.error()));
    }
  }
  Heap& heap = heaps_.back();
  // Always, since an adopted list may have got another one in between.
  ID3D12DescriptorHeap* const handle = heap.heap.get();
  commands.SetDescriptorHeaps(1, &handle);
  const std::uint64_t step = state_->device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  DescriptorPlace place{host_start(*handle), device_start(*handle)};
  place.host.ptr += heap.used * step;
  place.device.ptr += heap.used * step;
  heap.used += count;
  return place;
}

Expected<D3D12_CPU_DESCRIPTOR_HANDLE> Descriptors::take_for_host() {
  if (host_heaps_.empty() || host_heaps_.back().used == host_heaps_.back().size) {
    if (auto added = add(host_heaps_, 1, false); !added) {
      return tl::unexpected<Error>(std::move(added.error()));
    }
  }
  Heap& heap = host_heaps_.back();
  auto place = host_start(*heap.heap);
  place.ptr += std::uint64_t{heap.used++} *
               state_->device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  return place;
}

void Descriptors::write(std::span<const BoundView> views, DescriptorPlace first) {
  const auto step = state_->device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV);
  for (const BoundView& view : views) {
    write_descriptor(*state_->device, view, first.host);
    first.host.ptr += step;
  }
}

}  // namespace crosslane::d3d12
