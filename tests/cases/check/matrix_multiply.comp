// 32 x 32 matrices by tiles of 8 x 8 in groupshared memory.
// groups: 4,4
// mutant: barrier(); // loaded =>
// mutant: barrier(); // used =>
// mutant: k < 4u => k < 5u
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint left[8][8];
shared uint right[8][8];
void main() {
  uvec2 t = gl_LocalInvocationID.xy;
  uvec2 g = gl_GlobalInvocationID.xy;
  uint sum = 0u;
  for (uint k = 0u; k < 4u; ++k) {
    left[t.y][t.x] = a[g.y * 32u + k * 8u + t.x];
    right[t.y][t.x] = a[(k * 8u + t.y) * 32u + g.x];
    barrier(); // loaded
    for (uint j = 0u; j < 8u; ++j) sum += left[t.y][j] * right[j][t.x];
    barrier(); // used
  }
  o[g.y * 32u + g.x] = sum;
}
