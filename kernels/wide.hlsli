// Arithmetic on unsigned numbers of 64 bits as two words, low word first, for devices without 64-bit integers too.
#ifndef CROSSLANE_KERNELS_WIDE_HLSLI
#define CROSSLANE_KERNELS_WIDE_HLSLI

uint2 AddWide(uint2 a, uint b) { return uint2(a.x + b, a.y + (a.x + b < b ? 1u : 0u)); }

// Modulo 2^64.
uint2 SubtractWide(uint2 a, uint2 b) { return uint2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1u : 0u)); }

bool IsAtMostWide(uint2 a, uint2 b) { return a.y < b.y || (a.y == b.y && a.x <= b.x); }

#endif  // CROSSLANE_KERNELS_WIDE_HLSLI
