// Whether groups that have begun make progress: each waits for the one that began before it, in far more groups than run at
// once; or, with BY_NUMBER, for the one that is numbered before it, which may not have begun. No wait is endless. The buffers are those of record.hlsli; slots: 0, whether the wait ended well; 1 and 2, the groups'
// own.
#include "crosslane/detail/atomic.hlsli"
#include "crosslane/wave_size.hlsli"

// What the host fills the records with.
#define UNWRITTEN 0xA55AA55Au
#define MOST_ROUNDS 0x40000u

struct ProgressConstants {
  uint threads;  // of the whole dispatch: one per group
  uint distances;
};
[[vk::push_constant]] ConstantBuffer<ProgressConstants> constants;
// [slot][group][2]
[[vk::binding(3)]] globallycoherent RWStructuredBuffer<uint> records;

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(1, 1, 1)]
void main(uint3 group : SV_GroupID) {
  const uint begun = 2 * constants.threads;
  const uint flags = 4 * constants.threads;
#if defined(BY_NUMBER)
  const uint ticket = group.x;
#else
  uint ticket;
  InterlockedAdd(records[begun], 1, ticket);
  ticket -= UNWRITTEN;
#endif
  uint flag = 0;
  if (ticket != 0) {
    flag = UNWRITTEN;
    for (uint round = 0; round < MOST_ROUNDS && flag == UNWRITTEN; ++round) {
      CROSSLANE_ACQUIRE_LOAD32(records[flags + 2 * (ticket - 1)], flag);
    }
  }
  CROSSLANE_RELEASE_STORE32(records[flags + 2 * ticket], 0);
  records[2 * group.x] = flag == UNWRITTEN ? 0 : 1;
  records[2 * group.x + 1] = 0;
}
