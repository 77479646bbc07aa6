// The three methods behind one name, for kernels that go over arrays by tiles.
//
// A kernel defines THREADS, its group's size, and a variant VALUE and OP, what is combined and how, and
// METHOD_GROUPSHARED, METHOD_SHUFFLE or METHOD_WAVE_INTRINSICS.
#ifndef CROSSLANE_KERNELS_TILES_METHOD_HLSLI
#define CROSSLANE_KERNELS_TILES_METHOD_HLSLI

#include "crosslane/group/scan.hlsli"
#include "crosslane/lane.hlsli"

typedef OP Op;

// A row is what lanes scan among themselves before the group does: those of a wave, or each thread's own values.
#if defined(METHOD_GROUPSHARED)
typedef crosslane::ScanAlone<Op, VALUE> RowScanner;
CROSSLANE_GROUP_SCRATCH(Scratch, VALUE, THREADS)
#else
#if defined(METHOD_SHUFFLE)
typedef crosslane::ScanByShuffle<Op, VALUE> RowScanner;
#elif defined(METHOD_WAVE_INTRINSICS)
typedef crosslane::ScanByIntrinsic<Op, VALUE> RowScanner;
#endif
CROSSLANE_GROUP_SCRATCH(Scratch, VALUE, THREADS / CROSSLANE_SMALLEST_WAVE + 1)
#endif

// The values of the rows' lanes, one per row and the same in its lanes: what the rows before have, and all rows.
void ScanRows(VALUE of_row, uint thread, out VALUE before, out VALUE total) {
#if defined(METHOD_GROUPSHARED)
  crosslane::GroupScanByGroupshared<Op, Scratch, THREADS, VALUE>(of_row, thread, before, total);
#else
  crosslane::GroupScanWaves<RowScanner, Op, Scratch, THREADS, VALUE>(of_row, thread, before, total);
#endif
}

// One value per thread: what the threads before have, and all threads.
void ScanGroup(VALUE v, uint thread, out VALUE before, out VALUE total) {
#if defined(METHOD_GROUPSHARED)
  crosslane::GroupScanByGroupshared<Op, Scratch, THREADS, VALUE>(v, thread, before, total);
#else
  crosslane::GroupScanByWaves<RowScanner, Op, Scratch, THREADS, VALUE>(v, thread, before, total);
#endif
}

#endif  // CROSSLANE_KERNELS_TILES_METHOD_HLSLI
