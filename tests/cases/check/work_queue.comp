// A queue in groupshared memory: some threads put numbers in, all take them out.
// unordered: 1
// mutant: barrier(); // empty => // empty
// mutant: barrier(); // full => // full
// mutant: queue[atomicAdd(size, 1u)] => queue[size++]
// mutant: if (i == 0u) { size = 0u; } => ;
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint queue[64];
shared uint size;
void main() {
  const uint i = gl_LocalInvocationID.x;
  if (i == 0u) { size = 0u; }
  barrier(); // empty
  if (a[i] % 2u == 0u) {
    queue[atomicAdd(size, 1u)] = a[i];
  }
  barrier(); // full
  if (i < size) {
    o[i] = queue[i] * 2u;
  }
}
