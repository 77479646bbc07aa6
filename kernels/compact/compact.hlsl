// Compacts an array by tiles: what is kept goes to the front of the output, in order.
//
// Lanes side by side hold elements side by side, and write what they keep of them side by side: straight from the registers.
// Putting a tile together in groupshared memory first, for longer stretches, was slower (NVIDIA H200: the driver leaves room for
// one group of such a tile at a time).
//
// A variant defines what selection.hlsli asks for, and OUTPUT_INDICES where the elements' places are wanted in their stead.
#include "compact_params.hlsli"

#define THREADS CROSSLANE_COMPACT_THREADS
#define ROWS CROSSLANE_COMPACT_ROWS(STORAGE_BYTES)
#define WINDOWS CROSSLANE_COMPACT_WINDOWS
#define VECTOR 1
#define ROW_LANES row_lanes()
// What is scanned are numbers of kept elements.
#define VALUE uint
#define OP crosslane::Sum<uint>
#include "../tiles/method.hlsli"
#include "../wide.hlsli"
#include "row_ranks.hlsli"

[[vk::push_constant]] ConstantBuffer<CompactParams> params : register(b0);
#include "../tiles/tile.hlsli"
#include "../tiles/look_back.hlsli"
#include "selection.hlsli"

#if defined(OUTPUT_INDICES)
typedef uint Output;
#else
typedef STORAGE Output;
#endif

[[vk::binding(0)]] StructuredBuffer<STORAGE> elements : register(t0);
[[vk::binding(1)]] StructuredBuffer<uint> flags : register(t1);
// How many were kept, 64 bits: for the caller, and from dispatch to dispatch, two places in turn.
[[vk::binding(8)]] RWStructuredBuffer<uint2> count_out : register(u5);
[[vk::binding(9)]] RWStructuredBuffer<uint2> carries : register(u6);
// Of an indirect dispatch that takes the kept elements on.
[[vk::binding(10)]] RWStructuredBuffer<uint> arguments : register(u7);
// The windows of what is kept, then those of what is not.
[[vk::binding(11)]] RWByteAddressBuffer outputs[2 * WINDOWS] : register(u8);

// What the dispatches before kept.
uint2 Carried() { return params.part.carried == 0 ? uint2(0, 0) : carries[params.part.carried & 1]; }

uint IndexOf(uint position) { return params.part.count.done_low + (position - params.part.begin); }

struct Share {
  STORAGE v[ROWS];
  uint kept;  // bit i: of row i
};

bool KeepsRow(Share share, uint row, uint position) {
#if defined(SELECT_FLAGS)
  return flags[params.flags_first + position] != 0;
#else
  return Keep(share.v[row], IndexOf(position)) != KeepsTheOthers();
#endif
}

void LoadRow(uint row, uint position, inout Share share) {
#if !defined(SELECT_FLAGS) || !defined(OUTPUT_INDICES)
  share.v[row] = elements[params.input_first + position];
#endif
}

void Load(uint tile, uint thread, uint end, inout Share share) {
  share.kept = 0;
  if (IsWhole(tile, end)) {
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      LoadRow(row, PositionOf(tile, thread, row), share);
    }
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      share.kept |= KeepsRow(share, row, PositionOf(tile, thread, row)) ? 1u << row : 0u;
    }
  } else {
    // All loads before the first use here too: one after the other they take longer than all the rest of a small array.
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      const uint position = PositionOf(tile, thread, row);
      share.v[row] = (STORAGE)0;
      if (IsInside(position, end)) {
        LoadRow(row, position, share);
      }
    }
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      const uint position = PositionOf(tile, thread, row);
      if (IsInside(position, end)) {
        share.kept |= KeepsRow(share, row, position) ? 1u << row : 0u;
      }
    }
  }
  SeeRows(share.kept, thread);
}

uint ScanShare(uint thread, inout Share share) { return KeptInRows(share.kept, thread); }

// Where an output's part of this tile begins: in a window, or in that and the next.
struct Destination {
  uint window;
  uint first;
};

// `output`: 0 or 1; `place`: of an element in it.
Destination DestinationOf(uint output, uint2 place) {
  const uint window = (place.y << (32 - params.window_shift)) | (place.x >> params.window_shift);
  const Destination to = {output * WINDOWS + window, place.x & ((1u << params.window_shift) - 1)};
  return to;
}

// What is kept, from the registers to the first window of all, where it goes in most cases.
void WriteKept(Share share, uint tile, uint thread, uint before_rows, uint first) {
  uint place = first + before_rows;
  [unroll] for (uint row = 0; row < ROWS; ++row) {
    uint rank;
    uint of_row;
    RankInRow(row, share.kept, thread, rank, of_row);
    if ((share.kept & (1u << row)) != 0) {
#if defined(OUTPUT_INDICES)
      const Output element = IndexOf(PositionOf(tile, thread, row));
#else
      const Output element = share.v[row];
#endif
      outputs[0].Store<Output>(sizeof(Output) * (place + rank), element);
    }
    place += of_row;
  }
}

// Either part of the tile, to any windows. The elements are read again: what is rare should not hold registers that leave room
// for fewer groups at a time (NVIDIA H200: a fifth of the whole time).
void WriteAnywhere(bool kept, uint kept_rows, uint tile, uint thread, uint end, uint before_rows, Destination to) {
  const uint size = 1u << params.window_shift;
  const uint tile_begin = TileBegin(tile);
  uint before = before_rows;
  [loop] for (uint row = 0; row < ROWS; ++row) {
    uint rank;
    uint of_row;
    RankInRow(row, kept_rows, thread, rank, of_row);
    const uint position = PositionOf(tile, thread, row);
    const bool is_kept = (kept_rows >> row & 1u) != 0;
    if (is_kept == kept && IsInside(position, end)) {
#if defined(OUTPUT_INDICES)
      const Output element = IndexOf(position);
#else
      const Output element = elements[params.input_first + position];
#endif
      const uint place = to.first + (kept ? before + rank : position - tile_begin - (before + rank));
      if (place < size) {
        outputs[to.window].Store<Output>(sizeof(Output) * place, element);
      } else {
        outputs[to.window + 1].Store<Output>(sizeof(Output) * (place - size), element);
      }
    }
    before += of_row;
  }
}

void Store(uint tile, uint thread, uint end, Share share, uint prefix, uint before_rows, uint total) {
  const uint2 kept_before = AddWide(Carried(), prefix);
  const Destination to = DestinationOf(0, AddWide(kept_before, params.kept_first));
  if (to.window == 0 && to.first + TILE <= 1u << params.window_shift) {
    WriteKept(share, tile, thread, before_rows, to.first);
  } else {
    WriteAnywhere(true, share.kept, tile, thread, end, before_rows, to);
  }
  if (params.partition != 0) {
    const uint2 done = uint2(params.part.count.done_low, params.part.count.done_high);
    const uint2 rejected_before = SubtractWide(AddWide(done, TileBegin(tile) - params.part.begin), kept_before);
    WriteAnywhere(false, share.kept, tile, thread, end, before_rows,
                  DestinationOf(1, AddWide(rejected_before, params.rejected_first)));
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
