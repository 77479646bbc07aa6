// Neighbours' pixels through groupshared memory: a row of the group and what lies beyond its ends, twice, so that one barrier
// a row is enough: who writes a row anew has passed the barrier of the row between.
#ifndef CROSSLANE_KERNELS_BLUR_NEIGHBOURS_GROUPSHARED_HLSLI
#define CROSSLANE_KERNELS_BLUR_NEIGHBOURS_GROUPSHARED_HLSLI

groupshared Words shared_rows[2][THREADS + 2 * kMostReach];

struct Neighbours {
  uint thread;  // in the group
  uint slot;

  static Neighbours of(uint group_index) {
    Neighbours made;
    made.thread = group_index;
    made.slot = 0;
    return made;
  }

  int beyond() {
    if (thread < Reach()) {
      return -int(Reach());
    }
    return thread >= THREADS - Reach() ? int(Reach()) : 0;
  }

  bool is_needed(int thread_in_row) { return true; }  // by the others, at their barriers

  void share(Words own, Words further) {
    slot ^= 1;
    shared_rows[slot][thread + Reach()] = own;
    if (beyond() != 0) {
      shared_rows[slot][int(thread + Reach()) + beyond()] = further;
    }
    GroupMemoryBarrierWithGroupSync();
  }

  bool all_near() { return true; }
  Words at(int distance) { return shared_rows[slot][int(thread + Reach()) + distance]; }
  Words far(int distance, int y, int thread_in_row) { return at(distance); }
};

#endif  // CROSSLANE_KERNELS_BLUR_NEIGHBOURS_GROUPSHARED_HLSLI
