// What a dispatch's bindings become: checked ranges of buffers, and their descriptors.
#pragma once

#include <span>
#include <vector>

#include "device/d3d12/buffer.hpp"
#include "device/d3d12/pipeline.hpp"

namespace crosslane::d3d12 {

/// One register of a pipeline, and the bytes that it shows.
struct BoundView {
  D3d12Buffer* buffer = nullptr;
  DxilView view = DxilView::other;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t stride = 0;  ///< of a structured buffer's elements, or a typed one's texels
  DXGI_FORMAT format = DXGI_FORMAT_UNKNOWN;
};

/// True for what shaders may write.
constexpr bool is_writable(DxilView view) {
  return view == DxilView::rw_structured_buffer || view == DxilView::rw_byte_address_buffer ||
         view == DxilView::rw_typed_buffer;
}

/// In the order of the pipeline's descriptors. Bindings that the shader does not have are left out. Errors:
/// `invalid_argument` for foreign and null buffers, ranges that do not fit, and bindings missing or given twice;
/// `unsupported` for buffers that cannot be shown so.
Expected<std::vector<BoundView>> bind_views(const D3d12Pipeline& pipeline, std::span<const Binding> bindings);

/// Writes the descriptor at `place`.
void write_descriptor(ID3D12Device& device, const BoundView& view, D3D12_CPU_DESCRIPTOR_HANDLE place);

}  // namespace crosslane::d3d12
