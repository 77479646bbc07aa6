// How an element lies in memory and what of it is combined: STORAGE, the type in memory; VALUE, the type that is combined;
// and one CODEC_* that turns the one into the other.
#ifndef CROSSLANE_KERNELS_CODEC_HLSLI
#define CROSSLANE_KERNELS_CODEC_HLSLI

#include "crosslane/float_order.hlsli"

#if defined(CODEC_INTEGER)
VALUE Encode(STORAGE v) { return v; }
STORAGE Decode(VALUE v) { return v; }
#elif defined(CODEC_KEY_MINIMUM)  // STORAGE and VALUE are the float's bits
VALUE Encode(STORAGE v) { return crosslane::FloatToKey<VALUE>(v, VALUE(0)); }
STORAGE Decode(VALUE v) { return crosslane::KeyToFloat<VALUE>(v, VALUE(0)); }
#elif defined(CODEC_KEY_MAXIMUM)
VALUE Encode(STORAGE v) { return crosslane::FloatToKey<VALUE>(v, ~VALUE(0)); }
STORAGE Decode(VALUE v) { return crosslane::KeyToFloat<VALUE>(v, ~VALUE(0)); }
#elif defined(CODEC_FLOAT)
VALUE Encode(STORAGE v) { return v; }
STORAGE Decode(VALUE v) { return asfloat(crosslane::CanonicalSum<uint>(asuint(v))); }
#elif defined(CODEC_DOUBLE)
VALUE Encode(STORAGE v) { return v; }
STORAGE Decode(VALUE v) {
  uint low;
  uint high;
  asuint(v, low, high);
  const uint64_t bits = crosslane::CanonicalSum<uint64_t>((uint64_t(high) << 32) | low);
  return asdouble(uint(bits), uint(bits >> 32));
}
#endif

#endif  // CROSSLANE_KERNELS_CODEC_HLSLI
