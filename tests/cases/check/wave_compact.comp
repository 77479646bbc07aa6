// Keeps every number that is no multiple of 3: waves claim their places by one atomic each.
// groups: 4
// unordered: 1
// mutant: subgroupBallotExclusiveBitCount(kept) => subgroupBallotBitCount(kept)
// mutant: if (subgroupElect()) start => if (gl_SubgroupInvocationID == 1u) start
// mutant: subgroupBroadcastFirst(start) => start
// mutant: if (keep) o => o
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
layout(binding = 2) buffer Count { uint count[]; };
void main() {
  uint value = a[gl_GlobalInvocationID.x];
  bool keep = value % 3u != 0u;
  uvec4 kept = subgroupBallot(keep);
  uint start = 0u;
  if (subgroupElect()) start = atomicAdd(count[0], subgroupBallotBitCount(kept));
  start = subgroupBroadcastFirst(start);
  if (keep) o[start + subgroupBallotExclusiveBitCount(kept)] = value;
}
