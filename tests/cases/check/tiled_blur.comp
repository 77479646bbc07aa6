// A blur over five numbers, from a tile with a border.
// groups: 4
// mutant: barrier(); => ;
// mutant: k < 68u => k < 64u
// mutant: tile[68] => tile[64]
// mutant: clamp(place, 0, 255) => place
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint tile[68];
void main() {
  const uint i = gl_LocalInvocationID.x;
  for (uint k = i; k < 68u; k += 64u) {
    const int place = int(gl_WorkGroupID.x * 64u + k) - 2;
    tile[k] = a[clamp(place, 0, 255)];
  }
  barrier();
  uint sum = 0u;
  for (uint k = 0u; k < 5u; ++k) {
    sum += tile[i + k];
  }
  o[gl_GlobalInvocationID.x] = sum / 5u;
}
