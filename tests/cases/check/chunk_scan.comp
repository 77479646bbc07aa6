// A scan in which each thread adds four numbers on its own, and waves and the group scan the sums.
// mutant: sums[64] => sums[8]
// mutant: barrier(); => ;
// mutant: subgroupExclusiveAdd(sum) => subgroupInclusiveAdd(sum)
// mutant: wave < gl_SubgroupID => wave <= gl_SubgroupID
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint sums[64];
void main() {
  const uint first = gl_LocalInvocationID.x * 4u;
  uint sum = 0u;
  for (uint k = 0u; k < 4u; ++k) {
    sum += a[first + k];
  }
  uint before = subgroupExclusiveAdd(sum);
  const uint of_wave = subgroupAdd(sum);
  if (subgroupElect()) {
    sums[gl_SubgroupID] = of_wave;
  }
  barrier();
  for (uint wave = 0u; wave < gl_SubgroupID; ++wave) {
    before += sums[wave];
  }
  for (uint k = 0u; k < 4u; ++k) {
    before += a[first + k];
    o[first + k] = before;
  }
}
