// A scan in one pass by decoupled look-back: groups number themselves, and wait for those before them.
// groups: 4
// mutant: memoryBarrierBuffer(); // before => // before
// mutant: memoryBarrierBuffer(); // after => // after
// mutant: coherent buffer State => buffer State
// mutant: group = atomicAdd(state[0], 1u); => group = gl_WorkGroupID.x;
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
layout(binding = 2) coherent buffer State { uint state[]; }; // the next number; then a flag and a sum for each group
shared uint group;
shared uint carry;
shared uint tile[64];
void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0u) {
    group = atomicAdd(state[0], 1u);
  }
  barrier();
  tile[i] = a[group * 64u + i];
  for (uint step = 1u; step < 64u; step *= 2u) {
    barrier();
    const uint left = i >= step ? tile[i - step] : 0u;
    barrier();
    tile[i] += left;
  }
  barrier();
  if (i == 0u) {
    uint before = 0u;
    if (group > 0u) {
      while (atomicOr(state[2u * group - 1u], 0u) == 0u) {}
      memoryBarrierBuffer(); // after
      before = state[2u * group];
    }
    state[2u * group + 2u] = before + tile[63];
    memoryBarrierBuffer(); // before
    atomicExchange(state[2u * group + 1u], 1u);
    carry = before;
  }
  barrier();
  o[group * 64u + i] = carry + tile[i];
}
