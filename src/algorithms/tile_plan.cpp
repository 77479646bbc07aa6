#include "algorithms/tile_plan.hpp"

#include <algorithm>

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {

std::vector<TiledDispatch> plan_tiles(const DeviceInfo& device, std::span<const TiledArray> arrays, std::uint64_t tile,
                                      std::uint64_t count) {
  const DeviceLimits& limits = device.limits;
  const std::uint64_t step = binding_step(limits);
  const std::uint64_t vector = vector_bytes / arrays.front().element_bytes;
  const std::uint64_t tiles = std::min<std::uint64_t>(CROSSLANE_MAX_TILES, limits.groups[0]);
  std::vector<TiledDispatch> dispatches;
  for (std::uint64_t done = 0; done < count;) {
    TiledDispatch dispatch;
    std::vector<std::uint64_t> firsts;  // element numbers of this dispatch's first elements
    std::uint64_t here = count - done;
    for (const TiledArray& array : arrays) {
      const std::uint64_t begin = array.offset + done * array.element_bytes;
      const std::uint64_t offset = round_down(begin, step);
      firsts.push_back((begin - offset) / array.element_bytes);
      dispatch.views.push_back({offset, 0, 0, false});
      here = std::min(here, binding_capacity(limits) / array.element_bytes - firsts.back());
    }
    const std::uint64_t begin = firsts.front() % vector;
    here = std::min(here, tiles * tile - begin);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      ArrayView& view = dispatch.views[i];
      view.bytes = (firsts[i] + here) * arrays[i].element_bytes;
      view.first = narrow(firsts[i] - begin);
      view.vectors = firsts[i] % vector == begin;
    }
    auto& part = dispatch.part;
    part.begin = narrow(begin);
    part.end = narrow(begin + here);
    part.groups = narrow(divide_up(begin + here, tile));
    // Every processor runs a group at least, so this many run at once.
    const bool all_at_once = part.groups <= std::max(device.processors, 1U);
    part.tickets = all_at_once || device.features.group_order ? 0 : 1;
    part.carried = narrow(dispatches.size());
    part.count.done_low = narrow(done);
    part.count.done_high = narrow(done >> 32U);
    dispatches.push_back(std::move(dispatch));
    done += here;
  }
  return dispatches;
}

}  // namespace crosslane
