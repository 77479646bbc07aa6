// Each group sums its part; the group that finishes last sums the parts.
// groups: 4
// mutant: memoryBarrierBuffer(); // the part is there =>
// mutant: memoryBarrierBuffer(); // the parts are seen =>
// mutant: coherent buffer Parts => buffer Parts
// mutant: barrier(); // all know =>
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
layout(binding = 2) coherent buffer Parts { uint parts[]; };
shared uint s[64];
shared bool last;
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = a[gl_GlobalInvocationID.x];
  barrier();
  for (uint d = 32u; d > 0u; d >>= 1) {
    if (i < d) s[i] += s[i + d];
    barrier();
  }
  if (i == 0u) {
    parts[1u + gl_WorkGroupID.x] = s[0];
    memoryBarrierBuffer(); // the part is there
    last = atomicAdd(parts[0], 1u) + 1u == gl_NumWorkGroups.x;
    memoryBarrierBuffer(); // the parts are seen
  }
  barrier(); // all know
  if (last && i == 0u) {
    uint total = 0u;
    for (uint k = 0u; k < gl_NumWorkGroups.x; ++k) total += parts[1u + k];
    o[0] = total;
  }
}
