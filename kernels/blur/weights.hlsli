// The weights of a blur.
#ifndef CROSSLANE_KERNELS_BLUR_WEIGHTS_HLSLI
#define CROSSLANE_KERNELS_BLUR_WEIGHTS_HLSLI

#include "blur_params.hlsli"

struct BlurWeights {
  float4 by_distance[CROSSLANE_BLUR_RADIUS / 4 + 1];  // of what lies 0, 1, 2 … away
  float4 by_age[CROSSLANE_BLUR_RADIUS / 2 + 1];       // of the newest row of 2 * radius + 1, of the one before it …
};
[[vk::binding(4)]] ConstantBuffer<BlurWeights> weights : register(b1);

float WeightAt(uint distance) { return weights.by_distance[distance / 4][distance % 4]; }
float WeightOfAge(uint age) { return weights.by_age[age / 4][age % 4]; }

#endif  // CROSSLANE_KERNELS_BLUR_WEIGHTS_HLSLI
