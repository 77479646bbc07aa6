// Sets of lanes as HLSL's ballots give them, for every wave size to 128: lane i is bit (i & 31) of word (i >> 5).
//
// No function here shifts by more than 31, which HLSL leaves undefined, or branches.
#ifndef CROSSLANE_WAVE_BALLOT_HLSLI
#define CROSSLANE_WAVE_BALLOT_HLSLI

#include "crosslane/lane.hlsli"

namespace crosslane {

// The lanes with numbers below `lane`; all 128 for every number from 128 on.
// Cost: about five integer instructions a word.
uint4 LanesBefore(uint lane) {
  uint4 lanes;
  [unroll] for (uint word = 0; word < 4; ++word) {
    const uint in_word = select(lane > 32 * word, min(lane - 32 * word, 32u), 0u);
    lanes[word] = select(in_word == 32u, 0xFFFFFFFFu, (1u << (in_word & 31u)) - 1u);
  }
  return lanes;
}

// How many of `lanes` have numbers below `lane`.
uint RankIn(uint4 lanes, uint lane) { return CountLanes(lanes & LanesBefore(lane)); }

// The lowest of `lanes`, or -1 where there is none.
int FirstLaneIn(uint4 lanes) {
  int first = -1;
  [unroll] for (int word = 3; word >= 0; --word) {
    first = select(lanes[word] != 0, 32 * word + int(firstbitlow(lanes[word])), first);
  }
  return first;
}

// The highest of `lanes`, or -1 where there is none.
int LastLaneIn(uint4 lanes) {
  int last = -1;
  [unroll] for (int word = 0; word < 4; ++word) {
    last = select(lanes[word] != 0, 32 * word + int(firstbithigh(lanes[word])), last);
  }
  return last;
}

// The lane of `lanes` that has `rank` others of them before it, or -1 where there are not that many: undoes RankIn.
// Cost: about fifty integer instructions.
int NthLaneIn(uint4 lanes, uint rank) {
  // First the word, then half of what is left, again and again.
  uint word = 0;
  uint before = 0;
  uint bits = lanes.x;
  uint passed = 0;
  [unroll] for (uint next = 1; next < 4; ++next) {
    passed += countbits(lanes[next - 1]);
    const bool further = rank >= passed;
    word = select(further, next, word);
    before = select(further, passed, before);
    bits = select(further, lanes[next], bits);
  }
  const bool exists = rank < passed + countbits(lanes.w);
  uint left = rank - before;
  uint bit = 0;
  [unroll] for (uint k = 0; k < 5; ++k) {
    const uint half = 16u >> k;
    const uint below = countbits((bits >> bit) & ((1u << half) - 1u));
    const bool upper = left >= below;
    left = select(upper, left - below, left);
    bit = select(upper, bit + half, bit);
  }
  return select(exists, int(32u * word + bit), -1);
}

}  // namespace crosslane

#endif  // CROSSLANE_WAVE_BALLOT_HLSLI
