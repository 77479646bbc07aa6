// A kernel that goes over an array by tiles: in one pass with look-back, or in three without (tiled_part.hlsli).
//
// What is done with a tile is the kernel's, which includes this file at its end and has before it, beside what tile.hlsli and
// look_back.hlsli ask for:
//   struct Share                                         the part of a tile that one thread holds
//   Load(tile, thread, end, inout share)
//   VALUE ScanShare(thread, inout share)                 the total of the thread's rows, as ScanRows takes it
//   Store(tile, thread, end, share, prefix, before, total)   what the tiles before come to, the rows before, and this tile
//   VALUE CarryIn()                                      what the first tile begins with
//   CarryOut(inclusive)                                  called by one thread, with what all tiles come to
#ifndef CROSSLANE_KERNELS_TILES_MAIN_HLSLI
#define CROSSLANE_KERNELS_TILES_MAIN_HLSLI

// Called by the first row of lanes: leaves the combination of all that lies before the tile in the scratch.
void FindPrefix(uint tile, uint tiles, uint epoch, VALUE total) {
  VALUE prefix;
  if (tile == 0) {
    prefix = CarryIn();
  } else {
    prefix = LookBack(tile, epoch);
  }
  Delay(~tile);
  if (RowScanner::lane() == 0) {
    const VALUE inclusive = Op::combine(prefix, total);
    if (params.part.groups > 1) {
      Publish(tile, epoch | STATUS_INCLUSIVE, inclusive);
    }
    if (tile + 1 == tiles) {
      CarryOut(inclusive);
    }
    Scratch::store(0, prefix);
  }
}

void RunInOnePass(uint group, uint thread, uint end, uint tiles) {
  uint epoch;
  const uint tile = StartTile(group, thread, epoch);
  if (tile < tiles) {
    Share share;
    Load(tile, thread, end, share);
    VALUE before;
    VALUE total;
    ScanRows(ScanShare(thread, share), thread, before, total);
    if (thread == 0 && tile != 0) {
      Publish(tile, epoch | STATUS_TOTAL, total);
    }
    if (thread < RowScanner::lanes()) {
      FindPrefix(tile, tiles, epoch, total);
    }
    GroupMemoryBarrierWithGroupSync();
    Store(tile, thread, end, share, Scratch::load(0), before, total);
  }
  if (params.part.groups > 1 && thread == 0) {
    FinishTile(tile, tiles);
  }
}

#if !defined(STATE_PACKED)
// The tiles' totals become what lies before each tile.
void ScanTotals(uint thread, uint tiles) {
  VALUE carry = CarryIn();
  for (uint first = 0; first < tiles; first += THREADS) {
    const uint tile = first + thread;
    VALUE total = Op::identity();
    if (tile < tiles) {
      total = values[PlaceOf(tile, STATUS_TOTAL)];
    }
    VALUE before;
    VALUE all;
    ScanGroup(total, thread, before, all);
    if (tile < tiles) {
      values[PlaceOf(tile, STATUS_INCLUSIVE)] = Op::combine(carry, before);
    }
    carry = Op::combine(carry, all);
  }
  if (thread == 0) {
    CarryOut(carry);
  }
}

// The passes before and after.
void RunInPasses(uint tile, uint thread, uint end, uint tiles) {
  if (tile >= tiles) {
    return;
  }
  Share share;
  Load(tile, thread, end, share);
  VALUE before;
  VALUE total;
  ScanRows(ScanShare(thread, share), thread, before, total);
  if (params.part.pass == CROSSLANE_PASS_TILES) {
    Store(tile, thread, end, share, values[PlaceOf(tile, STATUS_INCLUSIVE)], before, total);
  } else if (thread == 0) {
    values[PlaceOf(tile, STATUS_TOTAL)] = total;
  }
}
#endif

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group_id : SV_GroupID, uint group_index : SV_GroupIndex) {
  const uint thread = crosslane::FindWavePlace(group_index, THREADS).element;
  const uint end = End();
  const uint tiles = TilesBefore(end);
#if defined(STATE_PACKED)
  RunInOnePass(group_id.x, thread, end, tiles);
#else
  if (params.part.pass == CROSSLANE_PASS_SINGLE) {
    RunInOnePass(group_id.x, thread, end, tiles);
  } else if (params.part.pass == CROSSLANE_PASS_TOTALS) {
    ScanTotals(thread, tiles);
  } else {
    RunInPasses(group_id.x, thread, end, tiles);
  }
#endif
}

#endif  // CROSSLANE_KERNELS_TILES_MAIN_HLSLI
