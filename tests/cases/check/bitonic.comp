// Sorts 256 numbers by a bitonic network.
// mutant: barrier(); // each pass =>
// mutant: other > i => other >= 0u
// mutant: (i & k) == 0u => (i & j) == 0u
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
shared uint s[256];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = a[i];
  barrier();
  for (uint k = 2u; k <= 256u; k <<= 1) {
    for (uint j = k >> 1; j > 0u; j >>= 1) {
      uint other = i ^ j;
      if (other > i) {
        uint x = s[i];
        uint y = s[other];
        if ((x > y) == ((i & k) == 0u)) {
          s[i] = y;
          s[other] = x;
        }
      }
      barrier(); // each pass
    }
  }
  o[i] = s[i];
}
