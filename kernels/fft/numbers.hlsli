// What the caller's arrays are made of, where that is not always complex numbers of the kernel's own type.
#ifndef CROSSLANE_KERNELS_FFT_NUMBERS_HLSLI
#define CROSSLANE_KERNELS_FFT_NUMBERS_HLSLI

#include "arrays.hlsli"

[[vk::constant_id(CROSSLANE_FFT_FROM)]] const uint from_numbers = CROSSLANE_FFT_COMPLEX;
[[vk::constant_id(CROSSLANE_FFT_TO)]] const uint to_numbers = CROSSLANE_FFT_COMPLEX;

#if defined(REAL_IS_DOUBLE)
typedef double Word;
double RealOf(Word word) { return word; }
Word WordOf(double value) { return value; }
#else
typedef uint Word;
float RealOf(Word word) { return asfloat(word); }
Word WordOf(float value) { return asuint(value); }
#endif

// The same memory as `input` and `output`.
[[vk::binding(3)]] StructuredBuffer<Word> input_words : register(t2);
[[vk::binding(4)]] RWStructuredBuffer<Word> output_words : register(u1);

// The number at a place of the input, in its own elements.
Complex ReadNumber(uint place) {
#if !defined(REAL_IS_DOUBLE)
  if (from_numbers == CROSSLANE_FFT_HALVES) {
    const uint word = input_words[place];
    return float2(f16tof32(word), f16tof32(word >> 16));
  }
#endif
  if (from_numbers == CROSSLANE_FFT_REALS) {
    return Complex(RealOf(input_words[place]), 0);
  }
  return input[place];
}

void WriteNumber(uint place, Complex v) {
#if !defined(REAL_IS_DOUBLE)
  if (to_numbers == CROSSLANE_FFT_HALVES) {
    output_words[place] = f32tof16(v.x) | (f32tof16(v.y) << 16);
    return;
  }
#endif
  if (to_numbers == CROSSLANE_FFT_REALS) {
    output_words[place] = WordOf(v.x);
    return;
  }
  output[place] = v;
}

#endif  // CROSSLANE_KERNELS_FFT_NUMBERS_HLSLI
