#include "algorithms/state_slots.hpp"

#include <utility>

#include "base/rounding.hpp"

namespace crosslane {

Expected<StateSlots> StateSlots::create(Device& device, std::vector<std::uint64_t> part_bytes, std::uint64_t count) {
  StateSlots slots;
  slots.count_ = count;
  const auto list = device.create_command_list();
  if (!list) {
    return tl::unexpected<Error>(list.error());
  }
  for (const std::uint64_t bytes : part_bytes) {
    const std::uint64_t stride = round_up(bytes, device.info().limits.binding_alignment);
    auto buffer = device.create_buffer({stride * count, MemoryKind::device});
    if (!buffer) {
      return tl::unexpected(std::move(buffer.error()));
    }
    if (const auto filled = (*list)->fill(**buffer, 0, stride * count, 0); !filled) {
      return tl::unexpected<Error>(filled.error());
    }
    slots.stride_.push_back(stride);
    slots.buffers_.push_back(std::move(*buffer));
  }
  slots.part_bytes_ = std::move(part_bytes);
  return run(device, **list).map([&] { return std::move(slots); });
}

Expected<std::uint64_t> StateSlots::take(CommandList& list) {
  const std::uint64_t slot = next_++ % count_;
  const bool may_be_in_use = list.serial() != last_list_ || slot == 0;
  last_list_ = list.serial();
  const auto ready = may_be_in_use ? list.barrier() : Expected<void>{};
  return ready.map([&] { return slot; });
}

Binding StateSlots::bind(std::uint32_t binding, std::size_t part, std::uint64_t slot) const {
  return {binding, buffers_[part].get(), slot * stride_[part], part_bytes_[part]};
}

}  // namespace crosslane
