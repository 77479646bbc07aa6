// Where kept elements go in their row: a tile's rows are what the lanes of a wave hold side by side, so that neighbours read
// and write neighbours.
//
// Every method has
//   row_lanes(), row_lane(thread)       the lanes of a row
//   SeeRows(kept, thread)               called by all threads once the bits of their rows are known: bit i of `kept`, row i
//   KeptInRows(kept, thread)            kept by the lanes of this thread's rows, in the form that ScanRows takes
//   RankInRow(row, kept, thread, …)     of one row: kept in the lanes before this one, and in all
#ifndef CROSSLANE_KERNELS_COMPACT_ROW_RANKS_HLSLI
#define CROSSLANE_KERNELS_COMPACT_ROW_RANKS_HLSLI

#include "crosslane/wave/ballot.hlsli"
#include "crosslane/wave/reduce.hlsli"

#if defined(METHOD_GROUPSHARED)
// As many threads as a word has bits make a row: their ballots are put together in groupshared memory.
#define BALLOT_LANES 32

groupshared uint kept_by_thread[THREADS];
groupshared uint ballots[THREADS];  // of row i: the i-th of each BALLOT_LANES

uint row_lanes() { return BALLOT_LANES; }
uint row_lane(uint thread) { return thread % BALLOT_LANES; }

uint BallotOf(uint row, uint thread) { return ballots[thread - row_lane(thread) + row]; }

void SeeRows(uint kept, uint thread) {
  kept_by_thread[thread] = kept;
  GroupMemoryBarrierWithGroupSync();
  const uint row = row_lane(thread);
  uint ballot = 0;
  for (uint lane = 0; lane < BALLOT_LANES; ++lane) {
    ballot |= (kept_by_thread[thread - row + lane] >> row & 1u) << lane;
  }
  ballots[thread] = ballot;
  GroupMemoryBarrierWithGroupSync();
}

// The last lane has it for all, so that what is scanned over threads is what lies before their rows.
uint KeptInRows(uint kept, uint thread) {
  uint total = 0;
  if (row_lane(thread) == BALLOT_LANES - 1) {
    for (uint row = 0; row < ROWS; ++row) {
      total += countbits(BallotOf(row, thread));
    }
  }
  return total;
}

void RankInRow(uint row, uint kept, uint thread, out uint rank, out uint of_row) {
  const uint ballot = BallotOf(row, thread);
  rank = countbits(ballot & ((1u << row_lane(thread)) - 1u));
  of_row = countbits(ballot);
}
#else
uint row_lanes() { return WaveGetLaneCount(); }
uint row_lane(uint thread) { return WaveGetLaneIndex(); }

void SeeRows(uint kept, uint thread) {}

#if defined(METHOD_SHUFFLE)
uint KeptInRows(uint kept, uint thread) { return crosslane::ReduceByShuffle<Op, uint>::reduce(countbits(kept)); }

void RankInRow(uint row, uint kept, uint thread, out uint rank, out uint of_row) {
  const uint4 ballot = WaveActiveBallot((kept >> row & 1u) != 0);
  rank = crosslane::RankIn(ballot, WaveGetLaneIndex());
  of_row = crosslane::CountLanes(ballot);
}
#elif defined(METHOD_WAVE_INTRINSICS)
uint KeptInRows(uint kept, uint thread) { return crosslane::ReduceByIntrinsic<Op, uint>::reduce(countbits(kept)); }

void RankInRow(uint row, uint kept, uint thread, out uint rank, out uint of_row) {
  const bool keeps = (kept >> row & 1u) != 0;
  rank = WavePrefixCountBits(keeps);
  of_row = WaveActiveCountBits(keeps);
}
#endif
#endif

#endif  // CROSSLANE_KERNELS_COMPACT_ROW_RANKS_HLSLI
