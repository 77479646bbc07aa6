// Sets of lanes as HLSL's ballots give them, for every wave size to 128: lane i is bit (i & 31) of word (i >> 5).
//
// No function here shifts by more than 31, which HLSL leaves undefined.
#ifndef CROSSLANE_WAVE_BALLOT_HLSLI
#define CROSSLANE_WAVE_BALLOT_HLSLI

#include "crosslane/lane.hlsli"

namespace crosslane {

// The lanes with numbers below `lane`; all 128 for every number from 128 on.
// Cost: about five integer instructions a word.
uint4 LanesBefore(uint lane) {
  uint4 lanes;
  [unroll] for (uint word = 0; word < 4; ++word) {
    const uint in_word = lane > 32 * word ? min(lane - 32 * word, 32u) : 0u;
    lanes[word] = in_word == 32u ? 0xFFFFFFFFu : (1u << (in_word & 31u)) - 1u;
  }
  return lanes;
}

// How many of `lanes` have numbers below `lane`.
uint RankIn(uint4 lanes, uint lane) { return CountLanes(lanes & LanesBefore(lane)); }

// The lowest of `lanes`, or -1 where there is none.
int FirstLaneIn(uint4 lanes) {
  int first = -1;
  [unroll] for (int word = 3; word >= 0; --word) {
    first = lanes[word] != 0 ? 32 * word + int(firstbitlow(lanes[word])) : first;
  }
  return first;
}

// The highest of `lanes`, or -1 where there is none.
int LastLaneIn(uint4 lanes) {
  int last = -1;
  [unroll] for (int word = 0; word < 4; ++word) {
    last = lanes[word] != 0 ? 32 * word + int(firstbithigh(lanes[word])) : last;
  }
  return last;
}

}  // namespace crosslane

#endif  // CROSSLANE_WAVE_BALLOT_HLSLI
