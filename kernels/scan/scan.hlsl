// Scans an array by tiles: in one pass with look-back, or in three without (scan_params.hlsli).
#include "scan_params.hlsli"

#define THREADS CROSSLANE_SCAN_THREADS
#define ROWS CROSSLANE_SCAN_ROWS
#include "method.hlsli"

#define VECTOR (16 / STORAGE_BYTES)
#define TILE (THREADS * ROWS * VECTOR)
typedef vector<STORAGE, VECTOR> StorageVector;

[[vk::push_constant]] ConstantBuffer<ScanParams> params : register(b0);
#include "look_back.hlsli"

// Input and output twice each: as vectors, and as elements for what is not aligned.
[[vk::binding(0)]] StructuredBuffer<StorageVector> vectors_in : register(t0);
[[vk::binding(1)]] StructuredBuffer<STORAGE> elements_in : register(t1);
[[vk::binding(2)]] RWStructuredBuffer<StorageVector> vectors_out : register(u0);
[[vk::binding(3)]] RWStructuredBuffer<STORAGE> elements_out : register(u1);
// How many elements the whole array has, 64 bits, where the host does not know.
[[vk::binding(7)]] StructuredBuffer<uint2> counts : register(t2);

// Where this dispatch's part of the array ends.
uint End() {
  if (params.indirect == 0) {
    return params.end;
  }
  const uint2 count = counts[params.count_element];
  const uint low = count.x - params.done_low;
  const uint high = count.y - params.done_high - (count.x < params.done_low ? 1u : 0u);
  if (high >= 0x80000000u) {  // it ended in a dispatch before
    return params.begin;
  }
  return high != 0 ? params.end : params.begin + min(low, params.end - params.begin);
}

// The part of a tile that one thread holds: ROWS vectors, and what lies before each in its row.
struct Share {
  VALUE v[ROWS][VECTOR];
  VALUE before[ROWS];
  VALUE of_row[ROWS];
};

uint PositionOf(uint tile, uint thread, uint row) {
  const uint lanes = RowScanner::lanes();
  return tile * TILE + ((thread / lanes * ROWS + row) * lanes + thread % lanes) * VECTOR;
}

bool IsWhole(uint tile, uint end) {
  return params.vectors != 0 && tile * TILE >= params.begin && end / TILE > tile;
}

void Load(uint tile, uint thread, uint end, inout Share share) {
  if (IsWhole(tile, end)) {
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      const StorageVector loaded = vectors_in[params.input_vector + PositionOf(tile, thread, row) / VECTOR];
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        share.v[row][i] = Encode(loaded[i]);
      }
    }
  } else {
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        const uint position = PositionOf(tile, thread, row) + i;
        share.v[row][i] = Op::identity();
        if (position >= params.begin && position < end) {
          share.v[row][i] = Encode(elements_in[params.input_first + position]);
        }
      }
    }
  }
}

void Store(uint tile, uint thread, uint end, Share share, VALUE prefix) {
  const bool whole = IsWhole(tile, end);
  [unroll] for (uint row = 0; row < ROWS; ++row) {
    VALUE running = Op::combine(prefix, share.before[row]);
    StorageVector results;
    [unroll] for (uint i = 0; i < VECTOR; ++i) {
      const VALUE before = running;
      running = Op::combine(running, share.v[row][i]);
      results[i] = Decode(select(params.exclusive != 0, before, running));
    }
    const uint first = PositionOf(tile, thread, row);
    if (whole) {
      vectors_out[params.output_vector + first / VECTOR] = results;
    } else {
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        if (first + i >= params.begin && first + i < end) {
          elements_out[params.output_first + first + i] = results[i];
        }
      }
    }
    prefix = Op::combine(prefix, share.of_row[row]);
  }
}

// Fills `before` and `of_row`; returns the combination of the thread's rows.
VALUE ScanShare(inout Share share) {
  VALUE total = Op::identity();
  [unroll] for (uint row = 0; row < ROWS; ++row) {
    VALUE of_thread = share.v[row][0];
    [unroll] for (uint i = 1; i < VECTOR; ++i) {
      of_thread = Op::combine(of_thread, share.v[row][i]);
    }
    RowScanner::scan(of_thread, share.before[row], share.of_row[row]);
    total = Op::combine(total, share.of_row[row]);
  }
  return total;
}

VALUE CarryIn() {
  VALUE carry = Op::identity();
  if (params.carry_in != 0) {
    carry = values[CARRY_PLACE];
  }
  return carry;
}

// Called by the first row of lanes: leaves the combination of all that lies before the tile in the scratch.
void FindPrefix(uint tile, uint tiles, uint epoch, VALUE total) {
  const bool speaks = RowScanner::lane() == 0;
  VALUE prefix;
  if (tile == 0) {
    prefix = CarryIn();
  } else {
    if (speaks) {
      Publish(tile, epoch | STATUS_TOTAL, total);
    }
    prefix = LookBack(tile, epoch);
  }
  if (speaks) {
    const VALUE inclusive = Op::combine(prefix, total);
    if (params.groups > 1) {
      Publish(tile, epoch | STATUS_INCLUSIVE, inclusive);
    }
    if (tile + 1 == tiles) {
      values[CARRY_PLACE] = inclusive;
    }
    Scratch::store(0, prefix);
  }
}

void ScanInOnePass(uint group, uint thread, uint end, uint tiles) {
  uint epoch;
  const uint tile = StartTile(group, thread, epoch);
  if (tile < tiles) {
    Share share;
    Load(tile, thread, end, share);
    VALUE before;
    VALUE total;
    ScanRows(ScanShare(share), thread, before, total);
    if (thread < RowScanner::lanes()) {
      FindPrefix(tile, tiles, epoch, total);
    }
    GroupMemoryBarrierWithGroupSync();
    Store(tile, thread, end, share, Op::combine(Scratch::load(0), before));
  }
  if (params.groups > 1 && thread == 0) {
    FinishTile();
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
    values[CARRY_PLACE] = carry;
  }
}

// The passes before and after.
void ScanInPasses(uint tile, uint thread, uint end, uint tiles) {
  if (tile >= tiles) {
    return;
  }
  Share share;
  Load(tile, thread, end, share);
  VALUE before;
  VALUE total;
  ScanRows(ScanShare(share), thread, before, total);
  if (params.pass == CROSSLANE_SCAN_TILES) {
    Store(tile, thread, end, share, Op::combine(values[PlaceOf(tile, STATUS_INCLUSIVE)], before));
  } else if (thread == 0) {
    values[PlaceOf(tile, STATUS_TOTAL)] = total;
  }
}
#endif

[numthreads(THREADS, 1, 1)]
void main(uint3 group_id : SV_GroupID, uint group_index : SV_GroupIndex) {
  const uint thread = crosslane::FindWavePlace(group_index, THREADS).element;
  const uint end = End();
  const uint tiles = max((end + TILE - 1) / TILE, 1u);
#if defined(STATE_PACKED)
  ScanInOnePass(group_id.x, thread, end, tiles);
#else
  if (params.pass == CROSSLANE_SCAN_SINGLE_PASS) {
    ScanInOnePass(group_id.x, thread, end, tiles);
  } else if (params.pass == CROSSLANE_SCAN_TOTALS) {
    ScanTotals(thread, tiles);
  } else {
    ScanInPasses(group_id.x, thread, end, tiles);
  }
#endif
}
