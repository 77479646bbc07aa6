// A kernel that goes over arrays by tiles (kernels/tiles/main.hlsli), in one pass or in several, with its state.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/indirect_count.hpp"
#include "algorithms/range.hpp"
#include "algorithms/state_slots.hpp"
#include "crosslane/device.hpp"
#include "crosslane/kernel.hpp"
#include "crosslane/passes.hpp"
#include "kernels/tiles/tiled_part.hlsli"

namespace crosslane {

struct TiledKernelDescription {
  std::string name;  ///< its variant ".packed", where there is one, runs where the device has 64-bit atomics
  std::span<const Kernel> table = {};  ///< empty: the library's own
  std::optional<std::uint32_t> wave_size = {};
  Passes passes = Passes::automatic;
  std::uint64_t value_bytes = 4;  ///< of what tiles tell each other
  std::uint64_t extra_bytes = 0;  ///< of one more part of the state; 0: there is none
};

class TiledKernel {
 public:
  /// Errors: those of create_kernel_pipeline and of the device.
  static Expected<TiledKernel> create(Device& device, const TiledKernelDescription& description);

  /// Records one dispatch, or the three of several passes. `params` has a TiledPart `part`; `bindings` are the kernel's
  /// own; `counts` is where the number of elements is if only the device knows it.
  template <typename Params>
  Expected<void> record(CommandList& list, std::vector<Binding> bindings, Params params, std::uint64_t slot,
                        const BufferPlace& counts) const {
    bind_shared(bindings, params.part, slot, counts);
    const auto dispatch = [&](std::uint32_t pass, std::uint32_t groups) {
      params.part.pass = pass;
      return list.dispatch(*pipeline_, bindings, bytes_of(params), {groups, 1, 1});
    };
    // What the dispatch before left in the state must be there.
    Expected<void> recorded = params.part.carried != 0 ? list.barrier() : Expected<void>{};
    if (passes_ == Passes::one) {
      return recorded.and_then([&] { return dispatch(CROSSLANE_PASS_SINGLE, params.part.groups); });
    }
    return recorded.and_then([&] { return dispatch(CROSSLANE_PASS_REDUCE, params.part.groups); })
        .and_then([&] { return list.barrier(); })
        .and_then([&] { return dispatch(CROSSLANE_PASS_TOTALS, 1); })
        .and_then([&] { return list.barrier(); })
        .and_then([&] { return dispatch(CROSSLANE_PASS_TILES, params.part.groups); });
  }

  /// The slot of the state for what is recorded now, as StateSlots::take.
  Expected<std::uint64_t> take(CommandList& list) { return state_->take(list); }
  /// The part of `extra_bytes`.
  [[nodiscard]] Binding bind_extra(std::uint32_t binding, std::uint64_t slot) const;
  /// What a binding shows that is never read.
  [[nodiscard]] Binding stand_in(std::uint32_t binding, std::uint64_t slot) const;

  [[nodiscard]] Passes passes() const { return passes_; }
  [[nodiscard]] std::uint32_t wave_size() const { return pipeline_->wave_size(); }

 private:
  void bind_shared(std::vector<Binding>& bindings, kernel_interface::TiledPart& part, std::uint64_t slot,
                   const BufferPlace& counts) const;

  Device* device_ = nullptr;
  Passes passes_ = Passes::one;
  std::unique_ptr<Pipeline> pipeline_;
  std::optional<StateSlots> state_;
};

}  // namespace crosslane
