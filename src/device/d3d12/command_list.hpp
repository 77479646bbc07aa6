// Command lists of the Direct3D 12 back end.
#pragma once

#include <memory>
#include <vector>

#include "device/d3d12/descriptors.hpp"
#include "device/d3d12/states.hpp"
#include "device/d3d12/timestamps.hpp"

namespace crosslane::d3d12 {

class D3d12CommandList final : public CommandList {
 public:
  static Expected<std::unique_ptr<CommandList>> create(std::shared_ptr<DeviceState> state);
  /// Records into the caller's list.
  D3d12CommandList(std::shared_ptr<DeviceState> state, Reference<ID3D12GraphicsCommandList> adopted);
  D3d12CommandList(const D3d12CommandList&) = delete;
  D3d12CommandList& operator=(const D3d12CommandList&) = delete;
  ~D3d12CommandList() override;

  Expected<void> dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                          std::span<const std::byte> constants, GroupCount groups) override;
  Expected<void> dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                   std::span<const std::byte> constants, const BufferPlace& groups) override;
  Expected<void> copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                      std::uint64_t destination_offset, std::uint64_t bytes) override;
  Expected<void> fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) override;
  Expected<void> barrier() override;
  Expected<std::uint32_t> timestamp() override;

  Expected<void> submit();
  [[nodiscard]] Expected<void> wait();
  [[nodiscard]] Expected<std::vector<double>> timestamps() const;
  /// Leaves the buffers as they are outside of lists.
  Expected<void> end_adopted();

  [[nodiscard]] const DeviceState* state() const { return state_.get(); }

 private:
  enum class Stage : std::uint8_t { recording, submitted, failed, finished };

  [[nodiscard]] Expected<void> check_recording() const;
  /// Sets pipeline, views and constants.
  Expected<void> prepare(const D3d12Pipeline& pipeline, std::span<const Binding> bindings,
                         std::span<const std::byte> constants);
  /// Copies inside one buffer go by way of another, since a buffer cannot be source and destination at once.
  Expected<void> copy_inside(D3d12Buffer& buffer, std::uint64_t source_offset, std::uint64_t destination_offset,
                             std::uint64_t bytes);
  Expected<ID3D12CommandSignature*> indirect_signature();

  std::shared_ptr<DeviceState> state_;
  Reference<ID3D12CommandAllocator> allocator_;
  Reference<ID3D12GraphicsCommandList> commands_;
  Reference<ID3D12Fence> fence_;
  Reference<ID3D12CommandSignature> indirect_signature_;
  BufferStates states_;
  Descriptors descriptors_;
  Timestamps timestamps_;
  std::vector<std::unique_ptr<Buffer>> temporaries_;
  Stage stage_ = Stage::recording;
  bool adopted_ = false;
};

/// Errors: `invalid_argument` for a list of another device.
Expected<D3d12CommandList*> own_list(const DeviceState& state, CommandList& list);

}  // namespace crosslane::d3d12
