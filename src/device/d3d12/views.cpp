#include "device/d3d12/views.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "device/checks.hpp"
#include "device/d3d12/format.hpp"

namespace crosslane::d3d12 {
namespace {

constexpr std::uint32_t word_bytes = sizeof(std::uint32_t);

bool is_typed(DxilView view) { return view == DxilView::typed_buffer || view == DxilView::rw_typed_buffer; }

bool is_structured(DxilView view) {
  return view == DxilView::structured_buffer || view == DxilView::rw_structured_buffer;
}

// The view in elements of its stride; errors begin with the place.
Expected<void> take_stride(const D3d12Pipeline& pipeline, const Binding& binding, const DxilResource& resource,
                           BoundView& bound) {
  bound.stride = is_structured(resource.view) ? resource.stride : word_bytes;
  if (is_typed(resource.view)) {
    const auto place = where(pipeline, binding.set, binding.slot);
    if (!binding.texels) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: a typed buffer needs a texel format, and none was given.", place));
    }
    bound.stride = size_of(*binding.texels);
    bound.format = dxgi_format(*binding.texels);
    if (bound.format == DXGI_FORMAT_UNKNOWN) {
      return fail(ErrorCode::unsupported, fmt::format("{}: Direct3D 12 has no typed buffers of {} channels of {}.",
                                                      place, binding.texels->channels, name(binding.texels->type)));
    }
    if (bound.bytes % bound.stride != 0) {
      return fail(ErrorCode::invalid_argument, fmt::format("{}: {} bytes are no whole number of texels of {} bytes.",
                                                           place, bound.bytes, bound.stride));
    }
  }
  if (bound.stride != 0 && bound.offset % bound.stride != 0) {
    return fail(ErrorCode::unsupported,
                fmt::format("{}: offset {} is not a multiple of the {} bytes of an element, as Direct3D 12 asks for.",
                            where(pipeline, binding.set, binding.slot), bound.offset, bound.stride));
  }
  return {};
}

Expected<BoundView> checked_view(const D3d12Pipeline& pipeline, const Binding& binding, const DxilResource& resource) {
  const auto& device = pipeline.state()->info;
  const auto place = [&] { return where(pipeline, binding.set, binding.slot); };
  const auto own = own_buffer(*pipeline.state(), binding.buffer);
  if (!own) {
    return fail_because(fmt::format("{}: its buffer cannot be bound.", place()), own.error());
  }
  const auto& buffer = **own;
  if (!lies_inside(buffer.bytes(), binding.offset, binding.bytes)) {
    return tl::unexpected<Error>(check_range(place(), buffer.bytes(), binding.offset, binding.bytes).error());
  }
  BoundView bound{*own, resource.view, binding.offset,
                  binding.bytes == 0 ? buffer.bytes() - binding.offset : binding.bytes};
  if (bound.bytes == 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: no bytes are left in the buffer of {} bytes from byte {} on.", place(), buffer.bytes(),
                            binding.offset));
  }
  if (!is_typed(resource.view) && bound.offset + bound.bytes == buffer.bytes()) {
    // The last word of a buffer can be read whole, whatever the buffer's size: memory for it is there.
    bound.bytes = std::min(round_up(bound.bytes, word_bytes), buffer.allocated_bytes() - bound.offset);
  }
  const auto& limits = device.limits;
  if (bound.offset % limits.binding_alignment != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: offset {} is not a multiple of the {} bytes that {} asks for.", place(), bound.offset,
                            limits.binding_alignment, label(device)));
  }
  const bool constants = resource.view == DxilView::constant_buffer;
  const std::uint64_t most = constants ? D3D12_REQ_CONSTANT_BUFFER_ELEMENT_COUNT * 16ULL : limits.binding_bytes;
  if (bound.bytes > most) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {} bytes are more than the {} that {} can bind at once.",
                                                         place(), bound.bytes, most, label(device)));
  }
  if (is_writable(resource.view) && buffer.memory() != MemoryKind::device) {
    return fail(ErrorCode::unsupported,
                fmt::format("{}: shaders of Direct3D 12 cannot write memory that the host sees; write a buffer of the "
                            "device and copy it.",
                            place()));
  }
  if (constants) {
    bound.bytes = round_up(bound.bytes, D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT);
    if (bound.offset + bound.bytes > buffer.allocated_bytes()) {
      return fail(ErrorCode::unsupported,
                  fmt::format("{}: a constant buffer takes a multiple of 256 bytes, and the adopted buffer has fewer.",
                              place()));
    }
    return bound;
  }
  return take_stride(pipeline, binding, resource, bound).map([&] { return bound; });
}

D3D12_SHADER_RESOURCE_VIEW_DESC shader_resource(const BoundView& view, std::uint64_t first, std::uint32_t count) {
  D3D12_SHADER_RESOURCE_VIEW_DESC description{};
  description.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
  description.Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING;
  description.Format = view.format;
  description.Buffer.FirstElement = first;
  description.Buffer.NumElements = count;
  if (is_structured(view.view)) {
    description.Buffer.StructureByteStride = view.stride;
  } else if (!is_typed(view.view)) {
    description.Format = DXGI_FORMAT_R32_TYPELESS;
    description.Buffer.Flags = D3D12_BUFFER_SRV_FLAG_RAW;
  }
  return description;
}

D3D12_UNORDERED_ACCESS_VIEW_DESC unordered_access(const BoundView& view, std::uint64_t first, std::uint32_t count) {
  D3D12_UNORDERED_ACCESS_VIEW_DESC description{};
  description.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  description.Format = view.format;
  description.Buffer.FirstElement = first;
  description.Buffer.NumElements = count;
  if (is_structured(view.view)) {
    description.Buffer.StructureByteStride = view.stride;
  } else if (!is_typed(view.view)) {
    description.Format = DXGI_FORMAT_R32_TYPELESS;
    description.Buffer.Flags = D3D12_BUFFER_UAV_FLAG_RAW;
  }
  return description;
}

}  // namespace

Expected<std::vector<BoundView>> bind_views(const D3d12Pipeline& pipeline, std::span<const Binding> bindings) {
  std::vector<BoundView> views;
  views.reserve(pipeline.layout().descriptors);
  for (const DxilResource& resource : pipeline.resources()) {
    for (std::uint32_t element = 0; element < resource.count; ++element) {
      const auto is_here = [&](const Binding& binding) {
        return binding.set == resource.set && binding.slot == resource.slot && binding.element == element;
      };
      const auto found = std::ranges::find_if(bindings, is_here);
      const auto text = [&] {
        return where(pipeline, resource.set, resource.slot) +
               (resource.count == 1 ? "" : fmt::format(", element {}", element));
      };
      if (found == bindings.end()) {
        return fail(ErrorCode::invalid_argument, fmt::format("{}: no buffer is bound.", text()));
      }
      if (std::find_if(found + 1, bindings.end(), is_here) != bindings.end()) {
        return fail(ErrorCode::invalid_argument, fmt::format("{}: two buffers are bound.", text()));
      }
      auto view = checked_view(pipeline, *found, resource);
      if (!view) {
        return tl::unexpected<Error>(std::move(view.error()));
      }
      views.push_back(*view);
    }
  }
  return views;
}

void write_descriptor(ID3D12Device& device, const BoundView& view, D3D12_CPU_DESCRIPTOR_HANDLE place) {
  if (view.view == DxilView::constant_buffer) {
    const D3D12_CONSTANT_BUFFER_VIEW_DESC description{view.buffer->address() + view.offset,
                                                      static_cast<UINT>(view.bytes)};
    device.CreateConstantBufferView(&description, place);
    return;
  }
  const std::uint32_t stride = std::max(view.stride, 1U);
  const auto count = static_cast<std::uint32_t>(view.bytes / stride);
  // A range that is smaller than an element is shown as nothing, which reads as zeros.
  ID3D12Resource* const resource = count == 0 ? nullptr : view.buffer->handle();
  const std::uint64_t first = count == 0 ? 0 : view.offset / stride;
  if (is_writable(view.view)) {
    const auto description = unordered_access(view, first, std::max(count, 1U));
    device.CreateUnorderedAccessView(resource, nullptr, &description, place);
  } else {
    const auto description = shader_resource(view, first, std::max(count, 1U));
    device.CreateShaderResourceView(resource, &description, place);
  }
}

}  // namespace crosslane::d3d12
