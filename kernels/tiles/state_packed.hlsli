// What tiles tell each other on devices with 64-bit atomics: words of 32 bits of the value and a tag, one for values of 32
// bits and two for those of 64. A relaxed access moves each word whole, and two words belong together where their tags are
// the same; no other memory is read, so nothing needs to be ordered.
#ifndef CROSSLANE_KERNELS_TILES_STATE_PACKED_HLSLI
#define CROSSLANE_KERNELS_TILES_STATE_PACKED_HLSLI

// [tile][word]: bits of the value in the high half, the tag in the low one.
[[vk::binding(5)]] globallycoherent RWStructuredBuffer<uint64_t> words : register(u3);
// [0]: the carry between dispatches.
[[vk::binding(6)]] globallycoherent RWStructuredBuffer<VALUE> values : register(u4);

#define CARRY_PLACE 0
#define WORDS (sizeof(VALUE) / 4)

template <typename T> struct Bits {
  static uint2 of(T value) { return uint2(uint(value), uint(uint64_t(value) >> 32)); }
  static T value(uint2 bits) { return T((uint64_t(bits.y) << 32) | bits.x); }
};
template <> struct Bits<uint> {
  static uint2 of(uint value) { return uint2(value, 0); }
  static uint value(uint2 bits) { return bits.x; }
};
template <> struct Bits<int> {
  static uint2 of(int value) { return uint2(asuint(value), 0); }
  static int value(uint2 bits) { return asint(bits.x); }
};
template <> struct Bits<float> {
  static uint2 of(float value) { return uint2(asuint(value), 0); }
  static float value(uint2 bits) { return asfloat(bits.x); }
};
template <> struct Bits<double> {
  static uint2 of(double value) {
    uint2 bits;
    asuint(value, bits.x, bits.y);
    return bits;
  }
  static double value(uint2 bits) { return asdouble(bits.x, bits.y); }
};

void Publish(uint tile, uint tag, VALUE value) {
  const uint2 bits = Bits<VALUE>::of(value);
  [unroll] for (uint word = 0; word < WORDS; ++word) {
    // HLSL's way to store atomically.
    uint64_t before;
    InterlockedExchange(words[tile * WORDS + word], (uint64_t(bits[word]) << 32) | tag, before);
  }
}

// The tile's tag and its value; 0 for the tag, which no tile publishes, while words do not belong together.
uint Look(uint tile, out VALUE value) {
  uint2 bits = 0;
  uint2 tags = 0;
  [unroll] for (uint word = 0; word < WORDS; ++word) {
    uint64_t seen;
    CROSSLANE_ATOMIC_LOAD64(words[tile * WORDS + word], seen);
    bits[word] = uint(seen >> 32);
    tags[word] = uint(seen);
  }
  value = Bits<VALUE>::value(bits);
  return WORDS == 1 || tags.x == tags.y ? tags.x : 0;
}

#endif  // CROSSLANE_KERNELS_TILES_STATE_PACKED_HLSLI
