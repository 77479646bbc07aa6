// Compacts an array by tiles: what is kept goes to the front of the output, in order. A tile's part is put together in
// groupshared memory, so that neighbours in the output are written by neighbours.
//
// A variant defines what selection.hlsli asks for, and OUTPUT_INDICES where the elements' places are wanted in their stead.
#include "compact_params.hlsli"

#define THREADS CROSSLANE_COMPACT_THREADS
#define ROWS CROSSLANE_COMPACT_ROWS
#define WINDOWS CROSSLANE_COMPACT_WINDOWS
#define VECTOR (16 / STORAGE_BYTES)
// What is scanned are numbers of kept elements.
#define VALUE uint
#define OP crosslane::Sum<uint>
#include "../tiles/method.hlsli"
#include "../wide.hlsli"

[[vk::push_constant]] ConstantBuffer<CompactParams> params : register(b0);
#include "../tiles/tile.hlsli"
#include "../tiles/look_back.hlsli"
#include "selection.hlsli"

#if defined(OUTPUT_INDICES)
typedef uint Output;
#else
typedef STORAGE Output;
#endif

[[vk::binding(0)]] StructuredBuffer<uint4> vectors_in : register(t0);
[[vk::binding(1)]] StructuredBuffer<STORAGE> elements_in : register(t1);
[[vk::binding(2)]] StructuredBuffer<vector<uint, VECTOR> > flag_vectors : register(t3);
[[vk::binding(3)]] StructuredBuffer<uint> flags : register(t4);
// How many were kept, 64 bits: for the caller, and from dispatch to dispatch, two places in turn.
[[vk::binding(8)]] RWStructuredBuffer<uint2> count_out : register(u5);
[[vk::binding(9)]] RWStructuredBuffer<uint2> carries : register(u6);
// Of an indirect dispatch that takes the kept elements on.
[[vk::binding(10)]] RWStructuredBuffer<uint> arguments : register(u7);
// The windows of what is kept, then those of what is not.
[[vk::binding(11)]] RWByteAddressBuffer outputs[2 * WINDOWS] : register(u8);

// One more than a tile has: what goes nowhere goes to the last one, so that nobody branches.
groupshared Output stage[TILE + 1];

// What the dispatches before kept.
uint2 Carried() { return params.part.carried == 0 ? uint2(0, 0) : carries[params.part.carried & 1]; }

uint IndexOf(uint position) { return params.part.count.done_low + (position - params.part.begin); }

struct Share {
  STORAGE v[ROWS][VECTOR];
  uint kept[ROWS];         // bit i: of element i
  uint before[ROWS / 2];   // kept in the lanes before in the same row; of two rows in the halves of a word
  uint of_row[ROWS / 2];
};

// Of one row, from the words of two.
uint Half(uint pair, uint row) { return (row & 1) == 0 ? pair & 0xFFFFu : pair >> 16; }

void Load(uint tile, uint thread, uint end, inout Share share) {
  const bool whole = IsWhole(tile, end);
#if !defined(SELECT_FLAGS) || !defined(OUTPUT_INDICES)
  if (whole) {
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      const uint4 loaded = vectors_in[(params.input_first + PositionOf(tile, thread, row)) / VECTOR];
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        share.v[row][i] = ElementIn(loaded, i);
      }
    }
  } else {
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        const uint position = PositionOf(tile, thread, row) + i;
        share.v[row][i] = (STORAGE)0;
        if (IsInside(position, end)) {
          share.v[row][i] = elements_in[params.input_first + position];
        }
      }
    }
  }
#endif
  [unroll] for (uint row = 0; row < ROWS; ++row) {
    const uint first = PositionOf(tile, thread, row);
    share.kept[row] = 0;
#if defined(SELECT_FLAGS)
    if (whole && params.flags_vectors != 0) {
      const vector<uint, VECTOR> loaded = flag_vectors[(params.flags_first + first) / VECTOR];
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        share.kept[row] |= loaded[i] != 0 ? 1u << i : 0u;
      }
    } else {
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        if (IsInside(first + i, end) && flags[params.flags_first + first + i] != 0) {
          share.kept[row] |= 1u << i;
        }
      }
    }
#else
    uint inside = whole ? (1u << VECTOR) - 1u : 0u;
    [unroll] for (uint i = 0; i < VECTOR; ++i) {
      share.kept[row] |= Keep(share.v[row][i], IndexOf(first + i)) ? 1u << i : 0u;
      if (!whole && IsInside(first + i, end)) {
        inside |= 1u << i;
      }
    }
    share.kept[row] = (KeepsTheOthers() ? ~share.kept[row] : share.kept[row]) & inside;
#endif
  }
}

uint ScanShare(inout Share share) {
  uint total = 0;
  [unroll] for (uint pair = 0; pair < ROWS / 2; ++pair) {
    const uint of_thread = countbits(share.kept[2 * pair]) | (countbits(share.kept[2 * pair + 1]) << 16);
    RowScanner::scan(of_thread, share.before[pair], share.of_row[pair]);
    total += Half(share.of_row[pair], 0) + Half(share.of_row[pair], 1);
  }
  return total;
}

// Puts the tile's part of the outputs together, rejected elements behind those that are kept.
void Stage(uint tile, uint thread, uint end, uint tile_begin, Share share, uint before_rows, uint total) {
  uint rank = before_rows;
  [unroll] for (uint row = 0; row < ROWS; ++row) {
    uint place = rank + Half(share.before[row / 2], row);
    [unroll] for (uint i = 0; i < VECTOR; ++i) {
      const uint position = PositionOf(tile, thread, row) + i;
#if defined(OUTPUT_INDICES)
      const Output element = IndexOf(position);
#else
      const Output element = share.v[row][i];
#endif
      const uint keeps = share.kept[row] >> i & 1;
      const bool rejected = params.partition != 0 && IsInside(position, end);
      const uint place_else = rejected ? total + (position - tile_begin - place) : TILE;
      stage[keeps != 0 ? place : place_else] = element;
      place += keeps;
    }
    rank += Half(share.of_row[row / 2], row);
  }
}

// Writes `number` staged elements from `from` on to an output, 0 or 1, at its place `place`.
void WriteOut(uint output, uint thread, uint from, uint number, uint2 place) {
  const uint size = 1u << params.window_shift;
  const uint window = output * WINDOWS + ((place.y << (32 - params.window_shift)) | (place.x >> params.window_shift));
  const uint first = place.x & (size - 1);
  const uint here = min(number, size - first);
  for (uint i = thread; i < here; i += THREADS) {
    outputs[window].Store<Output>(sizeof(Output) * (first + i), stage[from + i]);
  }
  for (uint j = here + thread; j < number; j += THREADS) {
    outputs[window + 1].Store<Output>(sizeof(Output) * (j - here), stage[from + j]);
  }
}

void Store(uint tile, uint thread, uint end, Share share, uint prefix, uint before_rows, uint total) {
  const uint tile_begin = max(tile * TILE, params.part.begin);
  const uint inside = min(end, (tile + 1) * TILE) - tile_begin;
  Stage(tile, thread, end, tile_begin, share, before_rows, total);
  GroupMemoryBarrierWithGroupSync();
  const uint2 kept_before = AddWide(Carried(), prefix);
  WriteOut(0, thread, 0, total, AddWide(kept_before, params.kept_first));
  if (params.partition != 0) {
    const uint2 done = uint2(params.part.count.done_low, params.part.count.done_high);
    const uint2 rejected_before = SubtractWide(AddWide(done, tile_begin - params.part.begin), kept_before);
    WriteOut(1, thread, total, inside - total, AddWide(rejected_before, params.rejected_first));
  }
}

uint CarryIn() { return 0; }

void CarryOut(uint inclusive) {
  const uint2 count = AddWide(Carried(), inclusive);
  carries[(params.part.carried + 1) & 1] = count;
  count_out[params.count_element] = count;
  if (params.per_group != 0) {
    // No more than 2^32, so that what is left of them after the first fits a word.
    const bool some = (count.x | count.y) != 0;
    const uint groups = some ? (count.x - 1) / params.per_group + 1 : 0;
    const uint most = 65535;  // groups in one dimension, wherever it runs
    arguments[params.arguments_first] = min(groups, most);
    arguments[params.arguments_first + 1] = some ? (groups - 1) / most + 1 : 1;
    arguments[params.arguments_first + 2] = 1;
  }
}

#include "../tiles/main.hlsli"
