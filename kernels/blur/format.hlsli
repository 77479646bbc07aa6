// Pixels as they lie in memory, and as they are blurred.
//
// A variant defines FORMAT, the name of a row of CROSSLANE_BLUR_FORMATS.
#ifndef CROSSLANE_KERNELS_BLUR_FORMAT_HLSLI
#define CROSSLANE_KERNELS_BLUR_FORMAT_HLSLI

#include "blur_params.hlsli"

#define THREADS CROSSLANE_BLUR_THREADS

[[vk::constant_id(CROSSLANE_BLUR_SPEC_RADIUS)]] const uint radius = 4;
[[vk::constant_id(CROSSLANE_BLUR_SPEC_PREMULTIPLY)]] const uint premultiply = 0;
[[vk::constant_id(CROSSLANE_BLUR_SPEC_LINEAR)]] const uint linear_light = 0;

#define CROSSLANE_BLUR_ROW(name, channels, bits, unorm, pixels, step, fused, column_rows)          \
  struct Format_##name {                                                                           \
    static const uint kChannels = channels, kBits = bits, kUnorm = unorm, kPixels = pixels;        \
    static const uint kStep = step, kColumnRows = column_rows;                                     \
  };
CROSSLANE_BLUR_FORMATS(CROSSLANE_BLUR_ROW)
#define CROSSLANE_BLUR_NAMED(name) Format_##name
#define CROSSLANE_BLUR_OF(name) CROSSLANE_BLUR_NAMED(name)
typedef CROSSLANE_BLUR_OF(FORMAT) Format;

static const uint kChannels = Format::kChannels;
static const uint kBits = Format::kBits;
static const uint kPixels = Format::kPixels;
static const uint kWords = kPixels * kChannels * kBits / 32;
static const uint kMask = 0xFFFFFFFFu >> (32 - kBits);

typedef vector<uint, kWords> Words;      // a thread's pixels in memory
typedef vector<float, kChannels> Pixel;  // one of them

// sRGB to light and back, from 0 to 1 (IEC 61966-2-1).
float ToLight(float v) {
  return select(v <= 0.04045f, v / 12.92f, pow((v + 0.055f) / 1.055f, 2.4f));
}
float FromLight(float v) {
  return select(v <= 0.0031308f, v * 12.92f, 1.055f * pow(max(v, 0.0031308f), 1 / 2.4f) - 0.055f);
}

bool HasAlpha() { return kChannels == 4 && Format::kUnorm != 0; }
bool IsColour(uint channel) { return channel < 3 || !HasAlpha(); }

// The channel that begins at a bit of the words.
float ReadChannel(Words words, uint bit, uint channel) {
  const uint code = (words[bit / 32] >> (bit % 32)) & kMask;
  if (Format::kUnorm == 0) {
    return kBits == 16 ? f16tof32(code) : asfloat(code);
  }
  if (linear_light != 0 && IsColour(channel)) {
    return ToLight(float(code) / kMask) * kMask;
  }
  return float(code);
}

// Whether sums become integers as they are. Those begin with a half, so that cutting off what follows the point rounds them.
bool IsCut() { return Format::kUnorm != 0 && linear_light == 0 && !(HasAlpha() && premultiply != 0); }
float SumsBegin() { return select(IsCut(), 0.5f, 0.0f); }

uint WriteChannel(float v, uint channel) {
  if (Format::kUnorm == 0) {
    return kBits == 16 ? f32tof16(v) : asuint(v);
  }
  if (IsCut()) {
    return uint(v);
  }
  if (linear_light != 0 && IsColour(channel)) {
    v = FromLight(v / kMask) * kMask;
  }
  return uint(clamp(v, 0.0f, float(kMask)) + 0.5f);
}

// What is blurred of a thread's pixels.
void Unpack(Words words, out Pixel v[kPixels]) {
  [unroll] for (uint i = 0; i < kPixels; ++i) {
    [unroll] for (uint c = 0; c < kChannels; ++c) {
      v[i][c] = ReadChannel(words, (i * kChannels + c) * kBits, c);
    }
    if (HasAlpha() && premultiply != 0) {
      [unroll] for (uint k = 0; k + 1 < kChannels; ++k) {
        v[i][k] *= v[i][kChannels - 1];
      }
    }
  }
}

// The reverse for blurred ones, sums that began with SumsBegin().
Words Pack(Pixel v[kPixels]) {
  Words words = (Words)0;
  [unroll] for (uint i = 0; i < kPixels; ++i) {
    [unroll] for (uint c = 0; c < kChannels; ++c) {
      const uint bit = (i * kChannels + c) * kBits;
      float value = v[i][c];
      if (HasAlpha() && premultiply != 0 && IsColour(c)) {
        const float alpha = v[i][kChannels - 1];
        value = select(alpha > 0, value / max(alpha, 1e-30f), 0.0f);  // what is not seen is black
      }
      words[bit / 32] |= WriteChannel(value, c) << (bit % 32);
    }
  }
  return words;
}

// The same floats by vectors, in which threads exchange them.
static const uint kFloats = kPixels * kChannels;
static const uint kVectorFloats = kFloats % 4 == 0 ? 4 : 2;
static const uint kVectors = kFloats / kVectorFloats;
typedef vector<float, kVectorFloats> Floats;

void ToVectors(Pixel v[kPixels], out Floats vectors[kVectors]) {
  [unroll] for (uint i = 0; i < kFloats; ++i) {
    vectors[i / kVectorFloats][i % kVectorFloats] = v[i / kChannels][i % kChannels];
  }
}

void FromVectors(Floats vectors[kVectors], out Pixel v[kPixels]) {
  [unroll] for (uint i = 0; i < kFloats; ++i) {
    v[i / kChannels][i % kChannels] = vectors[i / kVectorFloats][i % kVectorFloats];
  }
}

#endif  // CROSSLANE_KERNELS_BLUR_FORMAT_HLSLI
