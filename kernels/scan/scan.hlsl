// Scans an array by tiles.
//
// A variant defines what codec.hlsli and tiles/method.hlsli ask for; FUNCTOR_FILE where OP is a program's own, of any type.
#include "scan_params.hlsli"

#define THREADS CROSSLANE_SCAN_THREADS
#define ROWS CROSSLANE_SCAN_ROWS
#define VECTOR (16 / STORAGE_BYTES)
#if defined(FUNCTOR_FILE)
#include "crosslane/shuffle.hlsli"
#include FUNCTOR_FILE
#endif
#include "../codec.hlsli"
#include "../tiles/method.hlsli"

// HLSL has vectors of its own types alone; others are read and written one by one.
#if !defined(FUNCTOR_FILE)
#define HAS_VECTORS
typedef vector<STORAGE, VECTOR> StorageVector;
#else
typedef STORAGE StorageVector;
#endif

[[vk::push_constant]] ConstantBuffer<ScanParams> params : register(b0);
#include "../tiles/tile.hlsli"
#include "../tiles/look_back.hlsli"

// Input and output twice each: as vectors, and as elements for what is not aligned.
[[vk::binding(0)]] StructuredBuffer<StorageVector> vectors_in : register(t0);
[[vk::binding(1)]] StructuredBuffer<STORAGE> elements_in : register(t1);
[[vk::binding(2)]] RWStructuredBuffer<StorageVector> vectors_out : register(u0);
[[vk::binding(3)]] RWStructuredBuffer<STORAGE> elements_out : register(u1);

// ROWS vectors, and what lies before each in its row.
struct Share {
  VALUE v[ROWS][VECTOR];
  VALUE before[ROWS];
  VALUE of_row[ROWS];
};

void Load(uint tile, uint thread, uint end, inout Share share) {
#if defined(HAS_VECTORS)
  if (IsWhole(tile, end)) {
    [unroll] for (uint row = 0; row < ROWS; ++row) {
      const StorageVector loaded = vectors_in[(params.input_first + PositionOf(tile, thread, row)) / VECTOR];
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        share.v[row][i] = Encode(loaded[i]);
      }
    }
    return;
  }
#endif
  [unroll] for (uint row = 0; row < ROWS; ++row) {
    [unroll] for (uint i = 0; i < VECTOR; ++i) {
      const uint position = PositionOf(tile, thread, row) + i;
      share.v[row][i] = Op::identity();
      if (IsInside(position, end)) {
        share.v[row][i] = Encode(elements_in[params.input_first + position]);
      }
    }
  }
}

VALUE ScanShare(uint thread, inout Share share) {
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

void Store(uint tile, uint thread, uint end, Share share, VALUE prefix, VALUE before_rows, VALUE total) {
  const bool by_vectors = params.output_vectors != 0 && IsWhole(tile, end);
  prefix = Op::combine(prefix, before_rows);
  [unroll] for (uint row = 0; row < ROWS; ++row) {
    VALUE running = Op::combine(prefix, share.before[row]);
    STORAGE results[VECTOR];
    [unroll] for (uint i = 0; i < VECTOR; ++i) {
      VALUE result = running;
      running = Op::combine(running, share.v[row][i]);
      if (params.exclusive == 0) {
        result = running;
      }
      results[i] = Decode(result);
    }
    const uint first = PositionOf(tile, thread, row);
#if defined(HAS_VECTORS)
    if (by_vectors) {
      StorageVector stored;
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        stored[i] = results[i];
      }
      vectors_out[(params.output_first + first) / VECTOR] = stored;
    } else
#endif
    {
      [unroll] for (uint i = 0; i < VECTOR; ++i) {
        if (IsInside(first + i, end)) {
          elements_out[params.output_first + first + i] = results[i];
        }
      }
    }
    prefix = Op::combine(prefix, share.of_row[row]);
  }
}

VALUE CarryIn() {
  VALUE carry = Op::identity();
  if (params.part.carried != 0) {
    carry = values[CARRY_PLACE];
  }
  return carry;
}

void CarryOut(VALUE inclusive) { values[CARRY_PLACE] = inclusive; }

#include "../tiles/main.hlsli"
