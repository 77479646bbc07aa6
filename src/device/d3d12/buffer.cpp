#include "device/d3d12/buffer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "device/checks.hpp"

namespace crosslane::d3d12 {
namespace {

// So that the last word is whole, and a constant buffer, whose size is a multiple of this, fits.
constexpr std::uint64_t allocation_granule = D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT;

D3D12_HEAP_TYPE heap_of(MemoryKind memory) {
  switch (memory) {
    case MemoryKind::upload:
      return D3D12_HEAP_TYPE_UPLOAD;
    case MemoryKind::readback:
      return D3D12_HEAP_TYPE_READBACK;
    default:
      return D3D12_HEAP_TYPE_DEFAULT;
  }
}

D3D12_RESOURCE_STATES usual_state_of(MemoryKind memory) {
  switch (memory) {
    case MemoryKind::upload:
      return D3D12_RESOURCE_STATE_GENERIC_READ;
    case MemoryKind::readback:
      return D3D12_RESOURCE_STATE_COPY_DEST;
    default:
      return D3D12_RESOURCE_STATE_COMMON;
  }
}

std::string_view name_of(MemoryKind memory) {
  switch (memory) {
    case MemoryKind::upload:
      return "Crosslane upload buffer";
    case MemoryKind::readback:
      return "Crosslane readback buffer";
    default:
      return "Crosslane buffer";
  }
}

Expected<void> check(const DeviceState& state, const BufferDescription& description) {
  if (description.bytes == 0) {
    return fail(ErrorCode::invalid_argument, "A buffer of 0 bytes was asked for; ask for at least one byte.");
  }
  if (const auto most = state.info.limits.buffer_bytes; description.bytes > most) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A buffer of {} bytes was asked for, but {} allows {} at most; use several buffers.",
                            description.bytes, label(state.info), most));
  }
  return {};
}

}  // namespace

D3d12Buffer::D3d12Buffer(std::shared_ptr<DeviceState> state, Reference<ID3D12Resource> adopted, std::uint64_t bytes,
                         D3D12_RESOURCE_STATES usual)
    : state_(std::move(state)), resource_(std::move(adopted)), bytes_(bytes), allocated_bytes_(bytes), usual_(usual) {}

D3d12Buffer::~D3d12Buffer() {
  if (!host_.empty()) {
    resource_->Unmap(0, nullptr);
  }
}

Expected<std::unique_ptr<Buffer>> D3d12Buffer::create(std::shared_ptr<DeviceState> state,
                                                      const BufferDescription& description) {
  if (auto checked = check(*state, description); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  std::unique_ptr<D3d12Buffer> buffer(new D3d12Buffer());
  buffer->bytes_ = description.bytes;
  buffer->allocated_bytes_ = round_up(description.bytes, allocation_granule);
  buffer->memory_ = description.memory;
  buffer->usual_ = usual_state_of(description.memory);
  D3D12_HEAP_PROPERTIES heap{};
  heap.Type = heap_of(description.memory);
  D3D12_RESOURCE_DESC resource{};
  resource.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  resource.Width = buffer->allocated_bytes_;
  resource.Height = 1;
  resource.DepthOrArraySize = 1;
  resource.MipLevels = 1;
  resource.SampleDesc.Count = 1;
  resource.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (description.memory == MemoryKind::device) {
    resource.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  }
  const auto what = fmt::format("Allocating a buffer of {} bytes on {}", description.bytes, label(state->info));
  auto created = made<ID3D12Resource>(what, [&](REFIID id, void** place) {
    return state->device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &resource, buffer->usual_, nullptr, id,
                                                  place);
  });
  if (!created) {
    return tl::unexpected<Error>(std::move(created.error()));
  }
  set_name(**created, name_of(description.memory));
  buffer->state_ = std::move(state);
  buffer->resource_ = *std::move(created);
  if (description.memory != MemoryKind::device) {
    void* mapped = nullptr;
    // What the host reads is said to be all; it says itself what it wrote.
    if (auto done = check_result(buffer->resource_->Map(0, nullptr, &mapped), what + ": mapping it"); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
    buffer->host_ = {static_cast<std::byte*>(mapped), static_cast<std::size_t>(description.bytes)};
  }
  return buffer;
}

Expected<D3d12Buffer*> own_buffer(const DeviceState& state, Buffer* buffer) {
  if (buffer == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null buffer was passed.");
  }
  auto* const own = dynamic_cast<D3d12Buffer*>(buffer);
  if (own == nullptr || own->state() != &state) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A buffer of another device was passed to {}.", label(state.info)));
  }
  return own;
}

std::uint64_t whole_words(const D3d12Buffer& buffer) {
  return std::min(round_up(buffer.bytes(), sizeof(std::uint32_t)), buffer.allocated_bytes());
}

}  // namespace crosslane::d3d12
