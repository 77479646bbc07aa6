// Inclusive scan of 256 numbers: waves scan, their totals are added up, whatever the size of waves.
// mutant: barrier(); =>
// mutant: k < gl_SubgroupID => k <= gl_SubgroupID
// mutant: gl_SubgroupInvocationID == gl_SubgroupSize - 1u => gl_SubgroupInvocationID == 31u
// mutant: lane >= d => lane >= 0u
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint totals[256];
void main() {
  uint lane = gl_SubgroupInvocationID;
  uint sum = a[gl_LocalInvocationIndex];
  for (uint d = 1u; d < gl_SubgroupSize; d <<= 1) {
    uint up = subgroupShuffleUp(sum, d);
    if (lane >= d) sum += up;
  }
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) totals[gl_SubgroupID] = sum;
  barrier();
  for (uint k = 0u; k < gl_SubgroupID; ++k) sum += totals[k];
  o[gl_LocalInvocationIndex] = sum;
}
