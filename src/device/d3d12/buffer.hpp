// Buffers of the Direct3D 12 back end.
#pragma once

#include <memory>
#include <span>

#include "device/d3d12/state.hpp"

namespace crosslane::d3d12 {

class D3d12Buffer final : public Buffer {
 public:
  /// Errors: `invalid_argument` for sizes that cannot be, `device` where there is no memory.
  static Expected<std::unique_ptr<Buffer>> create(std::shared_ptr<DeviceState> state,
                                                  const BufferDescription& description);
  /// The caller's, which is in the state `usual` when a list begins to use it.
  D3d12Buffer(std::shared_ptr<DeviceState> state, Reference<ID3D12Resource> adopted, std::uint64_t bytes,
              D3D12_RESOURCE_STATES usual);
  ~D3d12Buffer() override;
  D3d12Buffer(const D3d12Buffer&) = delete;
  D3d12Buffer& operator=(const D3d12Buffer&) = delete;

  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::span<std::byte> host() override { return host_; }

  [[nodiscard]] ID3D12Resource* handle() const { return resource_.get(); }
  [[nodiscard]] std::uint64_t address() const { return resource_->GetGPUVirtualAddress(); }
  [[nodiscard]] std::uint64_t allocated_bytes() const { return allocated_bytes_; }
  /// Memory that the host sees has one state for ever.
  [[nodiscard]] MemoryKind memory() const { return memory_; }
  [[nodiscard]] D3D12_RESOURCE_STATES usual_state() const { return usual_; }
  [[nodiscard]] const DeviceState* state() const { return state_.get(); }

 private:
  D3d12Buffer() = default;

  std::shared_ptr<DeviceState> state_;
  Reference<ID3D12Resource> resource_;
  std::span<std::byte> host_;
  std::uint64_t bytes_ = 0;
  std::uint64_t allocated_bytes_ = 0;
  MemoryKind memory_ = MemoryKind::device;
  D3D12_RESOURCE_STATES usual_ = D3D12_RESOURCE_STATE_COMMON;
};

/// Errors: `invalid_argument` for null and for buffers of other devices.
Expected<D3d12Buffer*> own_buffer(const DeviceState& state, Buffer* buffer);

/// Bytes that copies may move: the last word counts whole.
std::uint64_t whole_words(const D3d12Buffer& buffer);

}  // namespace crosslane::d3d12
