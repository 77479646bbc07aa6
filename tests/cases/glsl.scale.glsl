// Included by glsl.buffers.comp.
float scale(float value, float factor) { return value * factor * SCALE; }
