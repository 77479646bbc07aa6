// Sums 1,024 numbers: each thread two, then a tree in groupshared memory.
// mutant: barrier(); // after loading =>
// mutant: barrier(); // each level =>
// mutant: i < d => i <= d
#version 450
layout(local_size_x = 512) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint s[512];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = a[i] + a[i + 512u];
  barrier(); // after loading
  for (uint d = 256u; d > 0u; d >>= 1) {
    if (i < d) s[i] += s[i + d];
    barrier(); // each level
  }
  if (i == 0u) o[0] = s[0];
}
