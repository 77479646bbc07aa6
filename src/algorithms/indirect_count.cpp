#include "algorithms/indirect_count.hpp"

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {

Binding bind_count(const DeviceLimits& limits, std::uint32_t slot, const BufferPlace& counts, const Binding& stand_in,
                   kernel_interface::ArrayCount& count) {
  count.indirect = counts.buffer != nullptr ? 1 : 0;
  Binding binding = stand_in;
  if (counts.buffer != nullptr) {
    const std::uint64_t base = round_down(counts.offset, binding_step(limits));
    binding = {0, counts.buffer, base, counts.offset - base + count_bytes};
    count.element = narrow((counts.offset - base) / count_bytes);
  }
  binding.slot = slot;
  return binding;
}

Expected<void> check_counts(const BufferPlace& counts) {
  if (counts.buffer == nullptr) {
    return fail(ErrorCode::invalid_argument, "the count of elements is nowhere: name a buffer");
  }
  return check_range(*counts.buffer, counts.offset, 1, count_bytes, "count");
}

}  // namespace crosslane
