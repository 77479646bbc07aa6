// One pass over tiles in any number of groups: every tile publishes its total, looks back over the totals of the tiles
// before it until one has its inclusive result, and publishes its own (Merrill and Garland 2016).
//
// A tile waits only for tiles that groups have begun before it: numbers are handed out when groups start, not by their
// place in the dispatch, unless all groups run at once. So it ends wherever groups that have begun make progress. Nothing is
// cleared between dispatches: tags carry the dispatch's epoch, which the last group to finish moves on.
//
// A variant defines STATE_PACKED or STATE_SEPARATE; the kernel has `params` with `groups` and `tickets`.
#ifndef CROSSLANE_KERNELS_SCAN_LOOK_BACK_HLSLI
#define CROSSLANE_KERNELS_SCAN_LOOK_BACK_HLSLI

#include "crosslane/detail/atomic.hlsli"

// A tag is the epoch, in its high 30 bits, and a status; 0 is none.
#define STATUS_TOTAL 1u
#define STATUS_INCLUSIVE 2u
#define STATUS_MASK 3u

#if defined(STATE_PACKED)
#include "state_packed.hlsli"
#else
#include "state_separate.hlsli"
#endif

// Tiles handed out; groups that have finished; the epoch.
[[vk::binding(4)]] globallycoherent RWStructuredBuffer<uint> control : register(u2);

groupshared uint started_tile;
groupshared uint started_epoch;

// The number of the tile that this group works on, and the epoch's part of tags.
uint StartTile(uint group, uint thread, out uint epoch) {
  if (params.tickets == 0) {
    epoch = control[2] << 2;
    return group;
  }
  if (thread == 0) {
    uint number;
    InterlockedAdd(control[0], 1, number);
    started_tile = number;
    started_epoch = control[2] << 2;
  }
  GroupMemoryBarrierWithGroupSync();
  epoch = started_epoch;
  return started_tile;
}

// Called by one thread of every group when it needs the epoch no more.
void FinishTile() {
  uint finished;
  InterlockedAdd(control[1], 1, finished);
  if (finished + 1 == params.groups) {
    control[0] = 0;
    control[1] = 0;
    control[2] = control[2] + 1;
  }
}

// The status of tile `number` once it has one in this epoch, and its value. All lanes of the row wait until the last of
// them has what it waits for, so that the loop ends for all at once.
uint WaitFor(uint number, bool there, uint epoch, out VALUE value) {
  uint tag;
  bool ready;
  do {
    tag = epoch | STATUS_INCLUSIVE;
    value = Op::identity();
    if (there) {
      tag = Look(number, value);
    }
    ready = (tag & ~STATUS_MASK) == epoch && tag != epoch;
  } while (RowScanner::last_where(!ready) >= 0);
  return tag & STATUS_MASK;
}

// The combination of all tiles before `tile`, in the lanes of one row.
VALUE LookBack(uint tile, uint epoch) {
  const uint lanes = RowScanner::lanes();
  const uint lane = RowScanner::lane();
  VALUE later = Op::identity();
  int last;
  uint end = tile;
  do {
    // The lanes look at the tiles before `end`, in order; what lies before the first tile has nothing to add.
    VALUE seen;
    const uint status = WaitFor(end + lane - lanes, end + lane >= lanes, epoch, seen);
    last = RowScanner::last_where(status == STATUS_INCLUSIVE);
    if (int(lane) < last) {
      seen = Op::identity();
    }
    VALUE before;
    VALUE total;
    RowScanner::scan(seen, before, total);
    later = Op::combine(total, later);
    end -= lanes;
  } while (last < 0);
  return later;
}

#endif  // CROSSLANE_KERNELS_SCAN_LOOK_BACK_HLSLI
