#include "algorithms/indirect_count.hpp"

#include "algorithms/range.hpp"

namespace crosslane {

Binding bind_count(const DeviceLimits& limits, std::uint32_t slot, const BufferPlace& counts, const Binding& stand_in,
                   kernel_interface::ArrayCount& count) {
  if (counts.buffer != nullptr) {
    count.indirect = 1;
    return bind_element(limits, slot, counts, count_bytes, count_bytes, count.element);
  }
  count.indirect = 0;
  Binding unread = stand_in;
  unread.slot = slot;
  return unread;
}

Expected<void> check_counts(const BufferPlace& counts) {
  if (counts.buffer == nullptr) {
    return fail(ErrorCode::invalid_argument, "the count of elements is nowhere: name a buffer");
  }
  return check_range(*counts.buffer, counts.offset, 1, count_bytes, "count");
}

}  // namespace crosslane
