// The sum of 2^16 numbers by groups of 1024 threads; sum_1024.comp is the same in GLSL.
kernel void sum(global const uint *numbers, global uint *total) {
  local uint values[1024];
  const uint thread = get_local_id(0);
  uint own = 0;
  for (uint i = 0; i < 4; ++i) {
    own += numbers[get_group_id(0) * 4096 + i * 1024 + thread];
  }
  values[thread] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 512; distance > 0; distance /= 2) {
    if (thread < distance) {
      values[thread] += values[thread + distance];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) {
    atomic_add(total, values[0]);
  }
}
