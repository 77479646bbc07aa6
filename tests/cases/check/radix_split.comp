// One pass of a radix sort: the numbers of a group go by one bit, and keep their order.
// groups: 2
// mutant: barrier(); // read => // read
// mutant: barrier(); // placed => // placed
// mutant: zeros + before => before
// mutant: i - before => i
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint ones[64];
shared uint tile[64];
void main() {
  const uint i = gl_LocalInvocationID.x;
  const uint value = a[gl_GlobalInvocationID.x];
  const uint bit = value >> 3 & 1u;
  ones[i] = bit;
  barrier();
  for (uint step = 1u; step < 64u; step *= 2u) {
    const uint left = i >= step ? ones[i - step] : 0u;
    barrier(); // read
    ones[i] += left;
    barrier();
  }
  const uint before = ones[i] - bit;
  const uint zeros = 64u - ones[63];
  tile[bit == 1u ? zeros + before : i - before] = value;
  barrier(); // placed
  o[gl_GlobalInvocationID.x] = tile[i];
}
