// All that GLSL binds: storage, uniform and typed buffers, push constants and a specialization constant.
// Compile it with --define SCALE=10.
#version 450
#ifndef SCALE
#error "SCALE is missing: --define SCALE=10"
#endif
#include "glsl.scale.glsl"

layout(local_size_x = 4) in;
layout(constant_id = 1) const int offset = 0;

layout(set = 0, binding = 0) readonly buffer Input { float values[]; } source;
layout(set = 0, binding = 1) uniform Factors { vec4 factor; };
layout(set = 0, binding = 2) uniform usamplerBuffer places;
layout(set = 1, binding = 0, r32i) uniform iimageBuffer rounded;
layout(set = 1, binding = 3) buffer Output { float values[]; } result;
layout(push_constant) uniform Constants { float addend; };

void main() {
  const uint thread = gl_LocalInvocationIndex;
  const float value = scale(source.values[texelFetch(places, int(thread)).x], factor[thread]) + addend;
  result.values[thread] = value;
  imageStore(rounded, int(thread), ivec4(int(value) + offset));
}
