// result = left x right, square matrices of `size` rows, a multiple of 64: work that is bound by arithmetic. Each group
// makes a tile of 64 x 64 elements, each of its 16 x 16 threads 4 x 4 of them in registers.
#include "crosslane/wave_size.hlsli"

struct Parameters {
  uint size;
};
[[vk::push_constant]] ConstantBuffer<Parameters> parameters;
[[vk::binding(0)]] StructuredBuffer<float4> left;
[[vk::binding(1)]] StructuredBuffer<float4> right;
[[vk::binding(2)]] RWStructuredBuffer<float4> result;

static const uint kTile = 64;    // rows and columns of a group's tile
static const uint kDepth = 16;   // columns of `left` that are multiplied at a time
static const uint kVectors = kTile / 4;

groupshared float4 left_columns[kDepth][kVectors];  // four rows of one column of `left`
groupshared float4 right_rows[kDepth][kVectors];    // four columns of one row of `right`

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(16, 16, 1)]
void main(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID) {
  const uint vectors = parameters.size / 4;
  float4 sums[4] = {(float4)0, (float4)0, (float4)0, (float4)0};
  for (uint depth = 0; depth < parameters.size; depth += kDepth) {
    // Each thread fetches one vector of each tile: row `thread.y` of `right`, and column `thread.y` of `left`.
    right_rows[thread.y][thread.x] = right[(depth + thread.y) * vectors + group.x * kVectors + thread.x];
    float4 column;
    [unroll] for (uint row = 0; row < 4; ++row) {
      const uint first = (group.y * kTile + thread.x * 4 + row) * vectors + depth / 4 + thread.y / 4;
      column[row] = left[first][thread.y % 4];
    }
    left_columns[thread.y][thread.x] = column;
    GroupMemoryBarrierWithGroupSync();
    [unroll] for (uint k = 0; k < kDepth; ++k) {
      const float4 rows = left_columns[k][thread.y];
      const float4 columns = right_rows[k][thread.x];
      [unroll] for (uint r = 0; r < 4; ++r) {
        sums[r] = mad((float4)rows[r], columns, sums[r]);
      }
    }
    GroupMemoryBarrierWithGroupSync();
  }
  [unroll] for (uint r = 0; r < 4; ++r) {
    result[(group.y * kTile + thread.y * 4 + r) * vectors + group.x * kVectors + thread.x] = sums[r];
  }
}
