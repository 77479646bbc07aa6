#include "device/d3d12/states.hpp"

namespace crosslane::d3d12 {
namespace {

D3D12_RESOURCE_STATES state_for(DxilView view) {
  if (is_writable(view)) {
    return D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
  }
  return view == DxilView::constant_buffer ? D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER
                                           : D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;
}

}  // namespace

void BufferStates::use(D3d12Buffer& buffer, D3D12_RESOURCE_STATES state) {
  if (buffer.memory() != MemoryKind::device) {
    return;
  }
  // The first use of a buffer in the common state promotes it by itself.
  const auto [place, is_new] = current_.try_emplace(&buffer, buffer.usual_state());
  if (place->second == state) {
    return;
  }
  if (!is_new || place->second != D3D12_RESOURCE_STATE_COMMON) {
    transition(buffer.handle(), place->second, state);
  }
  place->second = state;
  flush();
}

void BufferStates::use(std::span<const BoundView> views) {
  std::map<D3d12Buffer*, D3D12_RESOURCE_STATES> wanted;
  for (const BoundView& view : views) {
    auto& state = wanted[view.buffer];
    state |= state_for(view.view);
    if ((state & D3D12_RESOURCE_STATE_UNORDERED_ACCESS) != 0) {
      state = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
    }
  }
  for (const auto& [buffer, state] : wanted) {
    use(*buffer, state);
  }
}

void BufferStates::barrier() {
  // Copies are not ordered by a barrier of unordered accesses, but by leaving their state.
  for (auto& [buffer, state] : current_) {
    if (state == D3D12_RESOURCE_STATE_COPY_DEST) {
      transition(buffer->handle(), state, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
      state = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
    }
  }
  D3D12_RESOURCE_BARRIER all{};
  all.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
  pending_.push_back(all);
  flush();
}

void BufferStates::restore() {
  for (const auto& [buffer, state] : current_) {
    if (state != buffer->usual_state()) {
      transition(buffer->handle(), state, buffer->usual_state());
    }
  }
  current_.clear();
  flush();
}

void BufferStates::transition(ID3D12Resource* resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
  barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after};
  pending_.push_back(barrier);
}

void BufferStates::flush() {
  if (!pending_.empty()) {
    commands_->ResourceBarrier(static_cast<UINT>(pending_.size()), pending_.data());
    pending_.clear();
  }
}

}  // namespace crosslane::d3d12
