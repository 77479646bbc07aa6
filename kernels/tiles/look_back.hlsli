// One pass over tiles in any number of groups: every tile publishes its total, looks back over the totals of the tiles
// before it until one has its inclusive result, and publishes its own (Merrill and Garland 2016).
//
// A tile waits only for tiles that groups have begun before it: unless the device begins groups in their order, or runs all
// at once, numbers are handed out when groups start, not by their place in the dispatch. So it ends wherever groups that have begun
// make progress. Nothing is cleared between dispatches: tags carry the dispatch's epoch, which is moved on at the end.
//
// A variant defines STATE_PACKED or STATE_SEPARATE; the kernel has `params.part`, a TiledPart.
#ifndef CROSSLANE_KERNELS_TILES_LOOK_BACK_HLSLI
#define CROSSLANE_KERNELS_TILES_LOOK_BACK_HLSLI

#include "crosslane/detail/atomic.hlsli"

// A tag is the epoch, in its high 30 bits, and a status; 0 is none.
#define STATUS_TOTAL 1u
#define STATUS_INCLUSIVE 2u
#define STATUS_MASK 3u

// Tiles that each lane looks at in one step: more for a thread that looks alone; for waves more was slower (NVIDIA H200).
#if defined(METHOD_GROUPSHARED)
#define LOOK 4
#else
#define LOOK 1
#endif

#if defined(STATE_PACKED)
#include "state_packed.hlsli"
#else
#include "state_separate.hlsli"
#endif

// Where tiles are handed out: those that were, and groups that have finished; then the epoch.
[[vk::binding(4)]] globallycoherent RWStructuredBuffer<uint> control : register(u2);

#if defined(DELAY_GROUPS)
// For tests: puts a group off by up to some thousand rounds of work, now here, now there.
void Delay(uint seed) {
  uint state = (seed ^ control[2]) * 747796405u + 2891336453u;
  const uint rounds = (state >> 20) * (state >> 31);
  for (uint round = 0; round < rounds; ++round) {
    state = state * 1664525u + 1013904223u;
  }
  if (state == 0x2545F491u) {  // so that the work is not left out
    control[3] = state;
  }
}
#else
void Delay(uint seed) {}
#endif

groupshared uint started_tile;
groupshared uint started_epoch;

// The number of the tile that this group works on, and the epoch's part of tags.
uint StartTile(uint group, uint thread, out uint epoch) {
  if (params.part.tickets == 0) {
    // By those who need it, and on its way while the tile is loaded.
    epoch = 0;
    if (thread < RowScanner::lanes()) {
      CROSSLANE_ATOMIC_LOAD32(control[2], epoch);
      epoch <<= 2;
    }
    Delay(group);
    return group;
  }
  // One thread reads the epoch, the one that later says that the group needs it no more.
  if (thread == 0) {
    uint number;
    InterlockedAdd(control[0], 1, number);
    started_tile = number;
    started_epoch = control[2] << 2;
  }
  GroupMemoryBarrierWithGroupSync();
  epoch = started_epoch;
  Delay(started_tile);
  return started_tile;
}

// Called by one thread of every group when it needs the epoch no more.
void FinishTile(uint tile, uint tiles) {
  if (params.part.tickets == 0) {
    // The last tile has looked back, so all have published, and know the epoch.
    if (tile + 1 == tiles) {
      InterlockedAdd(control[2], 1);
    }
    return;
  }
  uint finished;
  DeviceMemoryBarrier();  // the epoch was read before the count says so
  InterlockedAdd(control[1], 1, finished);
  if (finished + 1 == params.part.groups) {
    DeviceMemoryBarrier();
    control[0] = 0;
    control[1] = 0;
    control[2] = control[2] + 1;
  }
}

// What a lane sees of its LOOK tiles: what they come to from the last one on that has its inclusive result, if one has.
struct Sight {
  VALUE total;
  bool inclusive;
  bool complete;  // all tiles that it goes over have published
};

// Looks at the tiles from `first` on; the first `before` of them lie before the array and have nothing to add.
Sight LookAt(uint first, uint before, uint epoch) {
  uint tags[LOOK];
  VALUE seen[LOOK];
  [unroll] for (uint i = 0; i < LOOK; ++i) {  // all at once, so that their ways through memory overlap
    tags[i] = Look(i < before ? 0 : first + i, seen[i]);
  }
  Sight sight = {Op::identity(), false, true};
  [unroll] for (uint i = 0; i < LOOK; ++i) {
    const uint status = tags[i] ^ epoch;
    if (i < before || status == STATUS_INCLUSIVE) {
      sight.total = seen[i];
      if (i < before) {
        sight.total = Op::identity();
      }
      sight.inclusive = true;
      sight.complete = true;
    } else if (status == STATUS_TOTAL) {
      sight.total = Op::combine(sight.total, seen[i]);
    } else {
      sight.complete = false;
    }
  }
  return sight;
}

// The combination of all tiles before `tile`, in the lanes of one row. Each step goes over lanes() * LOOK tiles.
VALUE LookBack(uint tile, uint epoch) {
  const uint lane = RowScanner::lane();
  const uint window = RowScanner::lanes() * LOOK;
  VALUE later = Op::identity();
  int last;
  uint end = tile;
  do {
    // The lanes look at the tiles before `end`, in order. All wait until those that count have published, so that the loop
    // ends for all at once.
    const uint first = end + lane * LOOK - window;
    const uint before = end + lane * LOOK < window ? window - (end + lane * LOOK) : 0;
    Sight sight;
    bool waits;
    do {
      sight = LookAt(first, before, epoch);
      last = RowScanner::last_where(sight.inclusive);
      waits = !sight.complete && int(lane) >= last;
    } while (RowScanner::last_where(waits) >= 0);
    if (int(lane) < last) {
      sight.total = Op::identity();
    }
    VALUE before_lane;
    VALUE total;
    RowScanner::scan(sight.total, before_lane, total);
    later = Op::combine(total, later);
    end -= window;
  } while (last < 0);
  return later;
}

#endif  // CROSSLANE_KERNELS_TILES_LOOK_BACK_HLSLI
