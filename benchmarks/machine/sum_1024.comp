// The sum of 2^16 numbers by groups of 1024 threads, for `crosslane check`; sum_1024.cl is the same for Oclgrind.
#version 450
layout(local_size_x = 1024) in;
layout(binding = 0) readonly buffer Input { uint numbers[]; };
layout(binding = 1) buffer Output { uint total; };
shared uint values[1024];
void main() {
  const uint thread = gl_LocalInvocationID.x;
  uint own = 0u;
  for (uint i = 0u; i < 4u; ++i) {
    own += numbers[gl_WorkGroupID.x * 4096u + i * 1024u + thread];
  }
  values[thread] = own;
  barrier();
  for (uint distance = 512u; distance > 0u; distance /= 2u) {
    if (thread < distance) {
      values[thread] += values[thread + distance];
    }
    barrier();
  }
  if (thread == 0u) {
    atomicAdd(total, values[0]);
  }
}
