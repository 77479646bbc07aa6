// Adds under a lock that lanes of a wave take one after the other.
// groups: 2
// mutant: memoryBarrierBuffer(); // taken =>
// mutant: memoryBarrierBuffer(); // left =>
// mutant: while (!done) { => while (atomicCompSwap(lock[0], 0u, 1u) != 0u) {} {
// mutant: coherent buffer Out => buffer Out
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) coherent buffer Out { uint o[]; };
layout(binding = 2) coherent buffer Lock { uint lock[]; };
void main() {
  bool done = false;
  while (!done) {
    if (atomicCompSwap(lock[0], 0u, 1u) == 0u) {
      memoryBarrierBuffer(); // taken
      o[0] = o[0] + a[gl_GlobalInvocationID.x];
      memoryBarrierBuffer(); // left
      atomicExchange(lock[0], 0u);
      done = true;
    }
  }
}
