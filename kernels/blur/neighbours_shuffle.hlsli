// Neighbours' pixels by shuffles: no groupshared memory, no barrier, and waves need not wait for each other. Lanes at the ends of
// the wave bring what lies beyond them.
#ifndef CROSSLANE_KERNELS_BLUR_NEIGHBOURS_SHUFFLE_HLSLI
#define CROSSLANE_KERNELS_BLUR_NEIGHBOURS_SHUFFLE_HLSLI

#include "crosslane/lane.hlsli"
#include "crosslane/wave/neighbours.hlsli"

struct Neighbours {
  uint thread;  // in the group, where lanes of a wave follow each other
  Words own;
  Words further;

  static Neighbours of(uint group_index) {
    Neighbours made;
    made.thread = crosslane::FindWavePlace(group_index, THREADS).element;
    made.own = (Words)0;
    made.further = (Words)0;
    return made;
  }

  int beyond() { return all_near() ? crosslane::BeyondWave(Reach()) : 0; }

  // Whether any lane of the wave has pixels in the image.
  bool is_needed(int thread_in_row) {
    return (thread_in_row - int(WaveGetLaneIndex())) * int(kPixels) < int(params.width);
  }

  void share(Words own_words, Words further_words) {
    own = own_words;
    further = further_words;
  }

  // Whether the wave has room for what lies beyond both of its ends.
  bool all_near() { return 2 * Reach() <= WaveGetLaneCount(); }
  Words at(int distance) { return WaveReadNeighbour(own, further, distance); }

  // In small waves lanes read for themselves what no other lane has.
  Words far(int distance, int y, int thread_in_row) {
    Words words[1] = {WaveShuffleDown(own, distance)};
    const int lane = int(WaveGetLaneIndex()) + distance;
    if (lane < 0 || lane >= int(WaveGetLaneCount())) {
      ReadPixels<1>(y, thread_in_row + distance, words);
    }
    return words[0];
  }
};

#endif  // CROSSLANE_KERNELS_BLUR_NEIGHBOURS_SHUFFLE_HLSLI
