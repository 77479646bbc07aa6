#include "shared.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<TYPE> values;

[numthreads(64, 1, 1)]
void main(uint3 thread : SV_DispatchThreadID) { values[thread.x] *= TYPE(shared_factor) + FACTOR; }
