// Fills a buffer with the hashes of consecutive numbers: incompressible data without a transfer.
#include "crosslane/wave_size.hlsli"

#include "hash.hlsli"

#define THREADS 256

[[vk::push_constant]] ConstantBuffer<HashFillParams> params : register(b0);
[[vk::binding(0)]] RWStructuredBuffer<uint> words : register(u0);

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  for (uint i = group.x * THREADS + thread; i < params.count; i += params.groups * THREADS) {
    words[i] = apply_pattern(params.pattern, i, hash_of(params.first_number + i));
  }
}
