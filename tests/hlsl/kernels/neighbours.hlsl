// Every thread reads all neighbours that WaveReadNeighbour gives it, in a row of places where place p has the values p and 1000 + p.
#include "crosslane/wave/neighbours.hlsli"

#if defined(__spirv__)
#define BINDING(slot) [[vk::binding(slot)]]
#define PUSH_CONSTANT [[vk::push_constant]]
#else
#define BINDING(slot)
#define PUSH_CONSTANT
#endif

#define THREADS 128  // whole waves

struct Constants {
  uint reach;
};
PUSH_CONSTANT ConstantBuffer<Constants> constants;
BINDING(0) RWStructuredBuffer<uint> placements;  // [thread]: lane index, lane count
BINDING(1) RWStructuredBuffer<uint2> found;      // [thread][distance + reach]: what the place so far away has

[numthreads(THREADS, 1, 1)]
void main(uint thread : SV_GroupIndex) {
  const int reach = int(constants.reach);
  const int place = 500 + int(WaveGetLaneIndex());
  placements[thread * 2 + 0] = WaveGetLaneIndex();
  placements[thread * 2 + 1] = WaveGetLaneCount();
  const int beyond = crosslane::BeyondWave(constants.reach);
  const uint2 own = uint2(place, 1000 + place);
  const uint2 further = beyond == 0 ? uint2(0, 0) : uint2(place + beyond, 1000 + place + beyond);
  for (int distance = -reach; distance <= reach; ++distance) {
    found[thread * uint(2 * reach + 1) + uint(distance + reach)] =
        WaveReadNeighbour(own, further, distance);
  }
}
