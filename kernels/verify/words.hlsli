// Scalars of every type as two 32-bit words, low word first; what is narrower than 64 bits leaves the rest zero.
#ifndef CROSSLANE_VERIFY_WORDS_HLSLI
#define CROSSLANE_VERIFY_WORDS_HLSLI

template <typename T>
struct Words;

template <>
struct Words<bool> {
  static bool value(uint2 words) { return (words.x & 1u) != 0u; }
  static uint2 of(bool value) { return uint2(select(value, 1u, 0u), 0u); }
};
template <>
struct Words<uint> {
  static uint value(uint2 words) { return words.x; }
  static uint2 of(uint value) { return uint2(value, 0u); }
};
template <>
struct Words<int> {
  static int value(uint2 words) { return asint(words.x); }
  static uint2 of(int value) { return uint2(asuint(value), 0u); }
};
template <>
struct Words<float> {
  static float value(uint2 words) { return asfloat(words.x); }
  static uint2 of(float value) { return uint2(asuint(value), 0u); }
};
template <>
struct Words<uint64_t> {
  static uint64_t value(uint2 words) { return uint64_t(words.x) | (uint64_t(words.y) << 32); }
  static uint2 of(uint64_t value) { return uint2(uint(value & 0xffffffffu), uint(value >> 32)); }
};
template <>
struct Words<int64_t> {
  static int64_t value(uint2 words) { return int64_t(Words<uint64_t>::value(words)); }
  static uint2 of(int64_t value) { return Words<uint64_t>::of(uint64_t(value)); }
};
template <>
struct Words<double> {
  static double value(uint2 words) { return asdouble(words.x, words.y); }
  static uint2 of(double value) {
    uint2 words;
    asuint(value, words.x, words.y);
    return words;
  }
};
#if defined(__HLSL_ENABLE_16_BIT)  // -enable-16bit-types
template <>
struct Words<uint16_t> {
  static uint16_t value(uint2 words) { return uint16_t(words.x); }
  static uint2 of(uint16_t value) { return uint2(uint(value), 0u); }
};
template <>
struct Words<int16_t> {
  static int16_t value(uint2 words) { return int16_t(uint16_t(words.x)); }
  static uint2 of(int16_t value) { return uint2(uint(uint16_t(value)), 0u); }
};
template <>
struct Words<float16_t> {
  static float16_t value(uint2 words) { return asfloat16(uint16_t(words.x)); }
  static uint2 of(float16_t value) { return uint2(uint(asuint16(value)), 0u); }
};
#endif

#endif  // CROSSLANE_VERIFY_WORDS_HLSLI
