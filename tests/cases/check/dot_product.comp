// A dot product: sums of waves, then the first wave adds those, in steps of its own size.
// mutant: sums[64] => sums[2]
// mutant: barrier(); => ;
// mutant: k += gl_SubgroupSize => k += 32u
// mutant: gl_SubgroupID == 0u => gl_LocalInvocationID.x < 32u
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint sums[64];
void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint sum = subgroupAdd(a[i] * a[i + 64u]);
  if (subgroupElect()) {
    sums[gl_SubgroupID] = sum;
  }
  barrier();
  if (gl_SubgroupID == 0u) {
    uint all = 0u;
    for (uint k = gl_SubgroupInvocationID; k < gl_NumSubgroups; k += gl_SubgroupSize) {
      all += sums[k];
    }
    all = subgroupAdd(all);
    if (subgroupElect()) {
      o[0] = all;
    }
  }
}
