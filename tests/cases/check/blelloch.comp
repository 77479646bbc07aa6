// Exclusive scan of 256 numbers in place, up and down a tree.
// mutant: barrier(); // up =>
// mutant: barrier(); // down =>
// mutant: s[255] = 0u; => s[255] = 1u;
#version 450
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint s[256];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[2u * i] = a[2u * i];
  s[2u * i + 1u] = a[2u * i + 1u];
  uint step = 1u;
  for (uint d = 128u; d > 0u; d >>= 1) {
    barrier(); // up
    if (i < d) s[step * (2u * i + 2u) - 1u] += s[step * (2u * i + 1u) - 1u];
    step *= 2u;
  }
  if (i == 0u) s[255] = 0u;
  for (uint d = 1u; d < 256u; d *= 2u) {
    step >>= 1;
    barrier(); // down
    if (i < d) {
      uint left = step * (2u * i + 1u) - 1u;
      uint right = step * (2u * i + 2u) - 1u;
      uint t = s[left];
      s[left] = s[right];
      s[right] += t;
    }
  }
  barrier();
  o[2u * i] = s[2u * i];
  o[2u * i + 1u] = s[2u * i + 1u];
}
