// Ranks of marked numbers: in a wave by a ballot, in the group by the counts of the waves before.
// mutant: counts[128] => counts[4]
// mutant: barrier(); => ;
// mutant: subgroupBallotBitCount(marked) => bitCount(marked.x)
// mutant: wave < gl_SubgroupID => wave < gl_LocalInvocationID.x / 32u
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint counts[128];
void main() {
  const uint value = a[gl_LocalInvocationID.x];
  const uvec4 marked = subgroupBallot(value % 3u != 0u);
  const uint count = subgroupBallotBitCount(marked);
  if (subgroupElect()) {
    counts[gl_SubgroupID] = count;
  }
  barrier();
  uint rank = subgroupBallotExclusiveBitCount(marked);
  for (uint wave = 0u; wave < gl_SubgroupID; ++wave) {
    rank += counts[wave];
  }
  if (value % 3u != 0u) {
    o[rank] = value;
  }
}
