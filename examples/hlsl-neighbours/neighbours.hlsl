// Smooths an array: each element becomes the mean of itself and its two neighbours; the ends of the array repeat.
#include "crosslane/shuffle.hlsli"

[[vk::binding(0)]] StructuredBuffer<float> input;
[[vk::binding(1)]] RWStructuredBuffer<float> output;

[numthreads(128, 1, 1)]  // whole waves at every wave size
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  uint count, stride;
  input.GetDimensions(count, stride);

  // Neighbouring lanes take neighbouring elements, however the device deals threads to waves.
  const uint element = group.x * 128 + crosslane::FindWavePlace(thread, 128).element;
  const float here = input[min(element, count - 1)];

  // No groupshared memory and no barrier. At the ends of the wave a lane gets its own value back,
  float before = WaveShuffleUp<1>(here);
  float after = WaveShuffleDown<1>(here);
  // so it reads the neighbour that belongs to another wave.
  if (WaveGetLaneIndex() == 0) {
    before = input[min(max(element, 1) - 1, count - 1)];
  }
  if (WaveGetLaneIndex() == WaveGetLaneCount() - 1) {
    after = input[min(element + 1, count - 1)];
  }
  if (element < count) {
    output[element] = (before + here + after) / 3;
  }
}
