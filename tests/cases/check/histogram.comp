// Counts 1,024 numbers by their low four bits, first in groupshared memory.
// groups: 4
// mutant: barrier(); // cleared =>
// mutant: barrier(); // counted =>
// mutant: atomicAdd(bins[a[gl_GlobalInvocationID.x] & 15u], 1u) => bins[a[gl_GlobalInvocationID.x] & 15u] += 1u
// mutant: atomicAdd(o[i], bins[i]) => o[i] += bins[i]
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint bins[16];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 16u) bins[i] = 0u;
  barrier(); // cleared
  atomicAdd(bins[a[gl_GlobalInvocationID.x] & 15u], 1u);
  barrier(); // counted
  if (i < 16u) atomicAdd(o[i], bins[i]);
}
