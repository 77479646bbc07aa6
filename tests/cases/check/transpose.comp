// Transposes a 32 x 32 matrix by tiles of 16 x 16, each with a column to spare.
// groups: 2,2
// mutant: barrier(); =>
// mutant: tile[16][17] => tile[16][15]
// mutant: tile[t.x][t.y] => tile[t.y][t.x + 1u]
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint tile[16][17];
void main() {
  uvec2 t = gl_LocalInvocationID.xy;
  uvec2 g = gl_WorkGroupID.xy;
  tile[t.y][t.x] = a[(g.y * 16u + t.y) * 32u + g.x * 16u + t.x];
  barrier();
  o[(g.x * 16u + t.y) * 32u + g.y * 16u + t.x] = tile[t.x][t.y];
}
