// The groups' results become one: each group publishes its own, and the group that finds itself last combines them in
// their order. Serves every type and operator.
#ifndef CROSSLANE_KERNELS_REDUCE_FINISH_PARTIALS_HLSLI
#define CROSSLANE_KERNELS_REDUCE_FINISH_PARTIALS_HLSLI

// Groups that have finished; zero between dispatches.
[[vk::binding(4)]] globallycoherent RWStructuredBuffer<uint> finished : register(u2);

groupshared uint is_last_group;

// True in all threads of the group whose result is the last to be published.
bool PublishPartial(VALUE partial, uint group, uint thread) {
  if (thread == 0) {
    partials[group] = partial;
    DeviceMemoryBarrier();  // the partial is visible before the count is
    uint before;
    InterlockedAdd(finished[0], 1, before);
    is_last_group = before + 1 == params.groups ? 1 : 0;
  }
  // Also orders the other groups' partials, seen through the count, before the loads that follow.
  AllMemoryBarrierWithGroupSync();
  return is_last_group != 0;
}

// `total` is the group's result, in thread 0.
void Finish(VALUE total, uint group, uint thread) {
  if (params.groups > 1) {
    if (!PublishPartial(total, group, thread)) {
      return;
    }
    total = Op::identity();
    for (uint i = thread; i < params.groups; i += THREADS) {
      total = Op::combine(total, partials[i]);
    }
    total = ReduceGroup(total, thread);
  }
  if (thread == 0) {
    finished[0] = 0;
    WriteResult(total);
  }
}

#endif  // CROSSLANE_KERNELS_REDUCE_FINISH_PARTIALS_HLSLI
