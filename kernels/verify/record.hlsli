// What all conformance kernels share: their buffers, and how a thread records what it saw. src/verify/probe.hpp is the
// host's side of it. THREADS, the size of the thread group, is given by the variant.
#ifndef CROSSLANE_VERIFY_RECORD_HLSLI
#define CROSSLANE_VERIFY_RECORD_HLSLI

#include "crosslane/lane.hlsli"
#include "words.hlsli"

struct RecordConstants {
  uint threads;    // of the whole dispatch
  uint distances;  // per thread
};
[[vk::push_constant]] ConstantBuffer<RecordConstants> constants;
[[vk::binding(0)]] StructuredBuffer<uint2> values;     // [thread]
[[vk::binding(1)]] StructuredBuffer<uint> callers;     // [thread]: 0 where the thread returns early
[[vk::binding(2)]] StructuredBuffer<int> distances;    // [distance][thread]
[[vk::binding(3)]] RWStructuredBuffer<uint2> records;  // [slot][thread]

static uint this_thread;  // in the dispatch
static uint next_slot;

template <typename T>
void record(T value) {
  records[next_slot * constants.threads + this_thread] = Words<T>::of(value);
  ++next_slot;
}

void record_lanes(uint4 lanes) {
  records[next_slot * constants.threads + this_thread] = lanes.xy;
  records[(next_slot + 1) * constants.threads + this_thread] = lanes.zw;
  next_slot += 2;
}

// Slots 0 to 4: where the thread is, before it does anything else: its lane, the lanes per wave as the shader is told
// them, the first thread of its wave (which names the wave), and the lanes that are there. Most shaders do not ask for
// the lanes per wave and record 0: a driver may compile those differently, or take them from a cache that it filled at
// another wave size.
void record_place(uint group, uint thread_in_group) {
  this_thread = group * THREADS + thread_in_group;
  next_slot = 0;
  record(WaveGetLaneIndex());
#if defined(ASKS_LANE_COUNT)
  record(WaveGetLaneCount());
#else
  record(0u);
#endif
  record(WaveReadLaneFirst(this_thread));
  record_lanes(WaveActiveBallot(true));
}

// Slots 5 and 6: the lanes that are active after the early return.
void record_active() { record_lanes(WaveActiveBallot(true)); }

#endif  // CROSSLANE_VERIFY_RECORD_HLSLI
