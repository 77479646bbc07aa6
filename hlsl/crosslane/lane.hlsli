// Lanes and waves: which lanes are active, and which wave of its thread group a lane belongs to.
//
// For lane i of a wave of W lanes, i is WaveGetLaneIndex() and W is WaveGetLaneCount(). Vulkan calls a wave a subgroup,
// a lane an invocation, a thread group a workgroup and groupshared memory shared memory.
//
// Needs HLSL 2021 (-HV 2021) and shader model 6.0 or SPIR-V 1.3.
#ifndef CROSSLANE_LANE_HLSLI
#define CROSSLANE_LANE_HLSLI

#if !defined(__HLSL_VERSION) || __HLSL_VERSION < 2021
#error Crosslane needs templates: compile with -HV 2021 or later
#endif

#include "crosslane/wave_size.hlsli"

namespace crosslane {

// The most lanes that a wave has on any device of Direct3D 12 or Vulkan, and so the size of a ballot in bits.
static const uint kMaxWaveLanes = 128;

// The lanes that are active here, one bit each: lane i is bit (i & 31) of word (i >> 5).
// Cost: one ballot.
uint4 ActiveLanes() { return WaveActiveBallot(true); }

// True where `lane` is one of `lanes`; false for every lane number from 128 on.
// Cost: eight integer instructions, no branch.
bool IsLaneIn(uint4 lanes, uint lane) {
  const uint word = lanes[(lane >> 5) & 3u];
  const uint bit = (word >> (lane & 31u)) & 1u;
  return select(lane < kMaxWaveLanes, bit, 0u) != 0u;
}

// How many lanes `lanes` has.
uint CountLanes(uint4 lanes) {
  const uint4 bits = countbits(lanes);
  return bits.x + bits.y + bits.z + bits.w;
}

// A wave's place in its thread group, as one of its lanes sees it.
struct WavePlace {
  uint index;    // the wave's number, from 0 to count - 1; each wave of the group has its own
  uint count;    // how many waves the group has
  uint element;  // the lane's number in the group when its waves are put in a row by `index`, from 0 on
};

groupshared uint claimed_places;

// Gives each wave of the thread group a number by letting it take one: right for every shape of group, wave size and
// device, also where waves are partly filled. Numbers are handed out in the order in which waves arrive, so they say
// nothing about SV_GroupIndex: an algorithm that cares about the order of elements lets lanes work on `element`,
// which counts all lanes of the group from 0 without gaps.
//
// `group_index` is SV_GroupIndex. Every thread of the group calls it, in uniform control flow, and groups have at most
// 65535 threads. It may be called again.
// Cost: one groupshared word, one groupshared atomic per wave, three barriers.
WavePlace ClaimWavePlace(uint group_index) {
  if (group_index == 0) {
    claimed_places = 0;
  }
  GroupMemoryBarrierWithGroupSync();
  // Waves are counted in the high half of the word and lanes in the low half, so that one atomic claims both.
  uint before = 0;
  const uint lanes = WaveActiveCountBits(true);
  if (WaveIsFirstLane()) {
    InterlockedAdd(claimed_places, (1u << 16) | lanes, before);
  }
  before = WaveReadLaneFirst(before);
  const uint rank = WavePrefixCountBits(true);
  GroupMemoryBarrierWithGroupSync();
  WavePlace place;
  place.index = before >> 16;
  place.count = claimed_places >> 16;
  place.element = (before & 0xffffu) + rank;
  GroupMemoryBarrierWithGroupSync();
  return place;
}

#if defined(__spirv__)
namespace spirv {
[[vk::ext_capability(/* GroupNonUniform */ 61)]] [[vk::ext_builtin_input(/* NumSubgroups */ 38)]]
static const uint num_subgroups;
[[vk::ext_capability(/* GroupNonUniform */ 61)]] [[vk::ext_builtin_input(/* SubgroupId */ 40)]]
static const uint subgroup_id;
}  // namespace spirv
#endif

// The wave's place in a one-dimensional thread group, [numthreads(group_threads, 1, 1)], in the cheapest way that the
// target has: built-in values on SPIR-V, ClaimWavePlace on DXIL. The rules of ClaimWavePlace apply to both.
//
// Promised on both: `index` is different for each wave and less than `count`. `element` counts the lanes without gaps
// where every wave but the last is full; on SPIR-V a device promises that only where group_threads is a multiple of
// the wave size and the pipeline asks for full waves (Crosslane's device layer does). `count` is exact on devices that
// keep Vulkan's rules; where a driver rounds NumSubgroups down, it is mended from group_threads.
// Groups with rows (two and three dimensions) use ClaimWavePlace: some drivers repeat SubgroupId when a row is not a
// multiple of the wave. So does everybody who does not trust the device: define CROSSLANE_CLAIM_WAVES to make this
// function claim on SPIR-V too.
// Cost: one integer division on SPIR-V; on DXIL that of ClaimWavePlace.
WavePlace FindWavePlace(uint group_index, uint group_threads) {
#if defined(__spirv__) && !defined(CROSSLANE_CLAIM_WAVES)
  const uint lanes = WaveGetLaneCount();
  WavePlace place;
  place.index = spirv::subgroup_id;
  place.count = max(spirv::num_subgroups, (group_threads + lanes - 1) / lanes);
  place.element = place.index * lanes + WaveGetLaneIndex();
  return place;
#else
  return ClaimWavePlace(group_index);
#endif
}

}  // namespace crosslane

#endif  // CROSSLANE_LANE_HLSLI
