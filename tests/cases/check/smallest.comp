// The smallest number and where it is, by a tree in groupshared memory; of equal ones the first.
// mutant: barrier(); // step => // step
// mutant: barrier(); // filled => // filled
// mutant: step = 64u => step = 32u
// mutant: i < step => i <= step
#version 450
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uvec2 best[128];
void main() {
  const uint i = gl_LocalInvocationID.x;
  best[i] = uvec2(a[i], i);
  barrier(); // filled
  for (uint step = 64u; step > 0u; step /= 2u) {
    if (i < step) {
      const uvec2 other = best[i + step];
      if (other.x < best[i].x || (other.x == best[i].x && other.y < best[i].y)) {
        best[i] = other;
      }
    }
    barrier(); // step
  }
  if (i == 0u) {
    o[0] = best[0].x;
    o[1] = best[0].y;
  }
}
