// The groups' 32-bit sums become one in a single 64-bit atomic: the sum in the high half, where its overflow falls off, and
// the number of groups that have added theirs in the low half. The group whose addition is the last knows the total without
// reading anything again. Needs 64-bit atomics on buffers; serves 32-bit integer sums.
#ifndef CROSSLANE_KERNELS_REDUCE_FINISH_PACKED_HLSLI
#define CROSSLANE_KERNELS_REDUCE_FINISH_PACKED_HLSLI

// Zero between dispatches.
[[vk::binding(4)]] globallycoherent RWStructuredBuffer<uint64_t> finished : register(u2);

// `total` is the group's sum, in thread 0.
void Finish(VALUE total, uint group, uint thread) {
  if (thread != 0) {
    return;
  }
  uint64_t before;
  InterlockedAdd(finished[0], (uint64_t(total) << 32) | 1, before);
  if (uint(before) + 1 == params.groups) {
    finished[0] = 0;
    WriteResult(uint(before >> 32) + total);
  }
}

#endif  // CROSSLANE_KERNELS_REDUCE_FINISH_PACKED_HLSLI
