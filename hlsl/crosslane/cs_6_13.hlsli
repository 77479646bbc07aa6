// What sources for `cs_6_13` find declared without an #include: that shader model does not exist, and
// `crosslane compile -T cs_6_13` takes the newest one there is, with this file before the source. docs/d3d12.md says more.
//
// Beside the functions of shuffle.hlsli it declares WaveReadLaneAt for structs whose members are all of 32 bits: floats,
// integers, bools, their vectors, arrays and structs. HLSL cannot tell of which type a member is, so that every member
// travels as a double, which holds each of these values; a NaN may come over as another NaN. CROSSLANE_SHUFFLE_STRUCT
// (shuffle.hlsli) after the struct names the members that travel, as what they are, at half the cost.
#ifndef CROSSLANE_CS_6_13_HLSLI
#define CROSSLANE_CS_6_13_HLSLI

#include "shuffle.hlsli"

// The whole struct of lane `lane`, which is in the wave and active.
// Cost: a 64-bit shuffle for each 32 bits of the struct.
template <typename T>
T WaveReadLaneAt(T value, uint lane) {
  double members[sizeof(T) / 4] = (double[sizeof(T) / 4])value;
  [unroll] for (uint i = 0; i < sizeof(T) / 4; ++i) {
    members[i] = crosslane::native::Read(members[i], lane);
  }
  return (T)members;
}

#endif  // CROSSLANE_CS_6_13_HLSLI
