// How many lanes the wave has that runs this.
#include "crosslane/wave_size.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<uint> words : register(u0);

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(128, 1, 1)]
void main(uint thread : SV_GroupIndex) { words[thread] = WaveGetLaneCount(); }
