// Neighbours' pixels by shuffles: no groupshared memory, no barrier, and waves need not wait for each other. Lanes at the ends of
// the wave bring what lies beyond them.
#ifndef CROSSLANE_KERNELS_BLUR_NEIGHBOURS_SHUFFLE_HLSLI
#define CROSSLANE_KERNELS_BLUR_NEIGHBOURS_SHUFFLE_HLSLI

#include "crosslane/lane.hlsli"
#include "crosslane/wave/neighbours.hlsli"

struct Neighbours {
  uint thread;  // in the group, where lanes of a wave follow each other
  Floats own[kVectors];
  Floats further[kVectors];

  static Neighbours of(uint group_index) {
    Neighbours made;
    made.thread = crosslane::FindWavePlace(group_index, THREADS).element;
    [unroll] for (uint i = 0; i < kVectors; ++i) {
      made.own[i] = (Floats)0;
      made.further[i] = (Floats)0;
    }
    return made;
  }

  int beyond() { return all_near() ? crosslane::BeyondWave(Reach()) : 0; }

  // Whether any lane of the wave has pixels in the image.
  bool is_needed(int thread_in_row) {
    return (thread_in_row - int(WaveGetLaneIndex())) * int(kPixels) < int(params.width);
  }

  void share(Pixel own_pixels[kPixels], Words further_words) {
    ToVectors(own_pixels, own);
    Pixel v[kPixels];
    Unpack(further_words, v);
    ToVectors(v, further);
  }

  // Whether the wave has room for what lies beyond both of its ends.
  bool all_near() { return 2 * Reach() <= WaveGetLaneCount(); }

  void at(int distance, out Pixel v[kPixels]) {
    Floats vectors[kVectors];
    [unroll] for (uint i = 0; i < kVectors; ++i) {
      vectors[i] = WaveReadNeighbour(own[i], further[i], distance);
    }
    FromVectors(vectors, v);
  }

  // In small waves lanes read for themselves what no other lane has.
  void far(int distance, int y, int thread_in_row, out Pixel v[kPixels]) {
    Floats vectors[kVectors];
    [unroll] for (uint i = 0; i < kVectors; ++i) {
      vectors[i] = WaveShuffleDown(own[i], distance);
    }
    FromVectors(vectors, v);
    const int lane = int(WaveGetLaneIndex()) + distance;
    if (lane < 0 || lane >= int(WaveGetLaneCount())) {
      Words words[1];
      ReadPixels<1>(y, thread_in_row + distance, words);
      Unpack(words[0], v);
    }
  }
};

#endif  // CROSSLANE_KERNELS_BLUR_NEIGHBOURS_SHUFFLE_HLSLI
