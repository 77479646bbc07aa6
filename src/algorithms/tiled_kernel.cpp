#include "algorithms/tiled_kernel.hpp"

#include <utility>

#include "algorithms/kernel_pipeline.hpp"
#include "kernels/kernel.hpp"

namespace crosslane {
namespace {

// The parts of the state.
constexpr std::size_t control_part = 0;
constexpr std::size_t words_part = 1;
constexpr std::size_t values_part = 2;
constexpr std::size_t extra_part = 3;
constexpr std::uint64_t control_bytes = 16;

Passes passes_for(const DeviceInfo& device, Passes wanted) {
  if (wanted != Passes::automatic) {
    return wanted;
  }
  return device.features.group_progress ? Passes::one : Passes::several;
}

}  // namespace

Expected<TiledKernel> TiledKernel::create(Device& device, const TiledKernelDescription& description) {
  constexpr std::uint64_t slots = 8;
  constexpr std::uint64_t tiles = CROSSLANE_MAX_TILES;
  TiledKernel kernel;
  kernel.device_ = &device;
  kernel.passes_ = passes_for(device.info(), description.passes);
  const std::uint64_t value_bytes = description.value_bytes;
  std::string name = description.name;
  std::vector<std::uint64_t> parts = {control_bytes, tiles * 4, (2 * tiles + 1) * value_bytes};
  const std::span<const Kernel> table = description.table.empty() ? kernels() : description.table;
  if (kernel.passes_ == Passes::one && device.info().features.int64_atomics &&
      find_kernel(table, name + ".packed") != nullptr) {
    name += ".packed";
    parts = {control_bytes, tiles * 2 * value_bytes, value_bytes};
  }
  if (description.extra_bytes != 0) {
    parts.push_back(description.extra_bytes);
  }
  return create_kernel_pipeline(device, name, description.wave_size, description.table)
      .map([&](auto created) { kernel.pipeline_ = std::move(created); })
      .and_then([&] { return StateSlots::create(device, std::move(parts), slots); })
      .map([&](StateSlots made) {
        kernel.state_ = std::move(made);
        return std::move(kernel);
      });
}

Binding TiledKernel::bind_extra(std::uint32_t binding, std::uint64_t slot) const {
  return state_->bind(binding, extra_part, slot);
}

Binding TiledKernel::stand_in(std::uint32_t binding, std::uint64_t slot) const {
  return state_->bind(binding, control_part, slot);
}

void TiledKernel::bind_shared(std::vector<Binding>& bindings, kernel_interface::TiledPart& part, std::uint64_t slot,
                              const BufferPlace& counts) const {
  bindings.push_back(state_->bind(4, control_part, slot));
  bindings.push_back(state_->bind(5, words_part, slot));
  bindings.push_back(state_->bind(6, values_part, slot));
  bindings.push_back(bind_count(device_->info().limits, 7, counts, stand_in(7, slot), part.count));
}

}  // namespace crosslane
