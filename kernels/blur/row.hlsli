// Blurring along a row: every thread has kPixels pixels, and needs those of its neighbours.
//
// How it gets them is the method's part: a struct Neighbours, of one thread, with
//   static of(group_index)       every thread of the group calls
//   uint thread                  the thread's number in the group, by which it takes pixels
//   bool is_needed(number)       whether the thread takes part, which has that number in a row of groups
//   int beyond()                 the thread whose pixels it brings beside its own, counted from itself, so that others see what
//                                lies beyond an end; 0: none
//   share(own, words)            its pixels of a row, and the words of those further ones, are there for the others, which all call
//   bool all_near()              whether at() can be asked for all that are within reach; the same in all lanes of a wave
//   at(distance, v)              the pixels of the thread so far away
//   far(distance, y, n, v)       the same where not all are near; in row y, by the thread with number n in a row of groups
#ifndef CROSSLANE_KERNELS_BLUR_ROW_HLSLI
#define CROSSLANE_KERNELS_BLUR_ROW_HLSLI

#include "image.hlsli"
#include "weights.hlsli"

// How many threads away pixels lie that count.
uint Reach() { return (radius + kPixels - 1) / kPixels; }
static const uint kMostReach = (MOST_RADIUS + kPixels - 1) / kPixels;

#if defined(METHOD_GROUPSHARED)
#include "neighbours_groupshared.hlsli"
#elif defined(METHOD_SHUFFLE)
#include "neighbours_shuffle.hlsli"
#endif

// What a thread has of Count rows.
template <uint Count> struct RowParts {
  Words own[Count];
  Words further[Count];

  void read(int y, int thread, int beyond) {
    ReadPixels<Count>(y, thread, own);
    if (beyond != 0) {
      ReadPixels<Count>(y, thread + beyond, further);
    }
  }

  void clear() {
    [unroll] for (uint r = 0; r < Count; ++r) {
      own[r] = (Words)0;
      further[r] = (Words)0;
    }
  }
};

// Adds the pixels of the thread `distance` away, with their weights. What lies beyond the radius does not count, and be it
// infinite. (The radius is known when the pipeline is made: nothing is left of the select.)
void AddPixels(inout Pixel sums[kPixels], Pixel v[kPixels], int distance) {
  [unroll] for (uint i = 0; i < kPixels; ++i) {
    [unroll] for (uint j = 0; j < kPixels; ++j) {
      const uint away = uint(abs(distance * int(kPixels) + int(i) - int(j)));
      sums[j] = select(away <= radius, sums[j] + WeightAt(away) * v[i], sums[j]);
    }
  }
}

// Blurs row y of the thread's pixels, which are `words` in memory, together with all others of the group or the wave.
void BlurRow(out Pixel sums[kPixels], inout Neighbours neighbours, Words words, Words further, int y, int thread) {
  Pixel v[kPixels];
  Unpack(words, v);
  neighbours.share(v, further);
  [unroll] for (uint j = 0; j < kPixels; ++j) {
    sums[j] = (Pixel)0;
  }
  if (neighbours.all_near()) {
    AddPixels(sums, v, 0);
    [unroll] for (uint distance = 1; distance <= kMostReach; ++distance) {
      if (distance <= Reach()) {
        neighbours.at(-int(distance), v);
        AddPixels(sums, v, -int(distance));
        neighbours.at(int(distance), v);
        AddPixels(sums, v, int(distance));
      }
    }
  } else {
    [loop] for (int distance = -int(Reach()); distance <= int(Reach()); ++distance) {
      neighbours.far(distance, y, thread, v);
      AddPixels(sums, v, distance);
    }
  }
}

#endif  // CROSSLANE_KERNELS_BLUR_ROW_HLSLI
