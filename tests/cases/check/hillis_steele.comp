// Inclusive scan of 256 numbers, in two halves of groupshared memory by turns.
// mutant: barrier(); // each step =>
// mutant: from = 256u - from; =>
// mutant: i >= d => i > d
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint s[512];
void main() {
  uint i = gl_LocalInvocationIndex;
  uint from = 0u;
  s[i] = a[i];
  barrier(); // after loading
  for (uint d = 1u; d < 256u; d <<= 1) {
    s[256u - from + i] = s[from + i] + (i >= d ? s[from + i - d] : 0u);
    from = 256u - from;
    barrier(); // each step
  }
  o[i] = s[from + i];
}
