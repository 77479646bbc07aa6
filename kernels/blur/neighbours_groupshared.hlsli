// Neighbours' pixels through groupshared memory: a row of the group and what lies beyond its ends, twice, so that one barrier
// a row is enough: who writes a row anew has passed the barrier of the row between.
#ifndef CROSSLANE_KERNELS_BLUR_NEIGHBOURS_GROUPSHARED_HLSLI
#define CROSSLANE_KERNELS_BLUR_NEIGHBOURS_GROUPSHARED_HLSLI

groupshared Floats shared_rows[2][kVectors][THREADS + 2 * kMostReach];

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

  void put(uint place, Pixel v[kPixels]) {
    Floats vectors[kVectors];
    ToVectors(v, vectors);
    [unroll] for (uint i = 0; i < kVectors; ++i) {
      shared_rows[slot][i][place] = vectors[i];
    }
  }

  void share(Pixel own[kPixels], Words further) {
    slot ^= 1;
    put(thread + Reach(), own);
    if (beyond() != 0) {
      Pixel v[kPixels];
      Unpack(further, v);
      put(uint(int(thread + Reach()) + beyond()), v);
    }
    GroupMemoryBarrierWithGroupSync();
  }

  bool all_near() { return true; }

  void at(int distance, out Pixel v[kPixels]) {
    Floats vectors[kVectors];
    [unroll] for (uint i = 0; i < kVectors; ++i) {
      vectors[i] = shared_rows[slot][i][int(thread + Reach()) + distance];
    }
    FromVectors(vectors, v);
  }

  void far(int distance, int y, int thread_in_row, out Pixel v[kPixels]) { at(distance, v); }
};

#endif  // CROSSLANE_KERNELS_BLUR_NEIGHBOURS_GROUPSHARED_HLSLI
