// A single-pass downsampler: all levels of 16 x 16 numbers in one group.
// mutant: barrier(); // written => // written
// mutant: barrier(); // read => // read
// mutant: i < width * width => i <= width * width
// mutant: first += 2u * width => first += width
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint level[64];
void main() {
  const uint i = gl_LocalInvocationID.x;
  uint first = (i / 8u) * 32u + (i % 8u) * 2u;
  level[i] = (a[first] + a[first + 1u] + a[first + 16u] + a[first + 17u]) / 4u;
  o[i] = level[i];
  uint written = 64u;
  for (uint width = 4u; width > 0u; width /= 2u) {
    barrier(); // written
    uint mean = 0u;
    if (i < width * width) {
      first = (i % width) * 2u;
      for (uint row = 0u; row < 2u * (i / width); ++row) {
        first += 2u * width;
      }
      mean = (level[first] + level[first + 1u] + level[first + 2u * width] + level[first + 2u * width + 1u]) / 4u;
    }
    barrier(); // read
    if (i < width * width) {
      level[i] = mean;
      o[written + i] = mean;
    }
    written += width * width;
  }
}
