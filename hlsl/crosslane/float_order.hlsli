// Minimum and maximum of floats that mean the same on every device: floats as order-preserving integer keys.
//
// HLSL leaves the minimum of a number and NaN, and that of -0 and +0, to the device. As keys the order is total:
// -infinity < … < -0 < +0 < … < +infinity, and any NaN wins the minimum as well as the maximum, as NumPy has it.
// The keys work on the bits, so denormals keep their place too. Cost: about four integer instructions a value.
#ifndef CROSSLANE_FLOAT_ORDER_HLSLI
#define CROSSLANE_FLOAT_ORDER_HLSLI

namespace crosslane {

// What the two float sizes differ in.
template <typename Bits> struct FloatBits;
template <> struct FloatBits<uint> {
  static uint sign() { return 0x80000000u; }
  static uint infinity() { return 0x7F800000u; }
  static uint nan() { return 0x7FC00000u; }
};
template <> struct FloatBits<uint64_t> {
  static uint64_t sign() { return uint64_t(0x80000000u) << 32; }
  static uint64_t infinity() { return uint64_t(0x7FF00000u) << 32; }
  static uint64_t nan() { return uint64_t(0x7FF80000u) << 32; }
};

// `Bits` is uint for float and uint64_t for double. NanKey is 0 for a minimum and ~0 for a maximum.
template <typename Bits> Bits FloatToKey(Bits bits, Bits nan_key) {
  const Bits negative = ~bits;
  const Bits positive = bits | FloatBits<Bits>::sign();
  const Bits key = select((bits & FloatBits<Bits>::sign()) != Bits(0), negative, positive);
  return select((bits & ~FloatBits<Bits>::sign()) > FloatBits<Bits>::infinity(), nan_key, key);
}

template <typename Bits> Bits KeyToFloat(Bits key, Bits nan_key) {
  const Bits bits = select((key & FloatBits<Bits>::sign()) != Bits(0), key & ~FloatBits<Bits>::sign(), ~key);
  return select(key == nan_key, FloatBits<Bits>::nan(), bits);
}

// Minimum and maximum of keys as operators (operators.hlsli): their identities are the infinities, so that they can be
// handed out.
template <typename Bits> struct KeyMinimum {
  static Bits identity() { return FloatBits<Bits>::sign() | FloatBits<Bits>::infinity(); }
  static Bits combine(Bits a, Bits b) { return min(a, b); }
  static Bits wave_intrinsic(Bits v) { return WaveActiveMin(v); }
};

template <typename Bits> struct KeyMaximum {
  static Bits identity() { return ~(FloatBits<Bits>::sign() | FloatBits<Bits>::infinity()); }
  static Bits combine(Bits a, Bits b) { return max(a, b); }
  static Bits wave_intrinsic(Bits v) { return WaveActiveMax(v); }
};

// A sum's one zero is +0 and its one NaN is the quiet one without payload, whatever order it was added up in.
template <typename Bits> Bits CanonicalSum(Bits bits) {
  const Bits magnitude = bits & ~FloatBits<Bits>::sign();
  const Bits number = select(magnitude == Bits(0), Bits(0), bits);
  return select(magnitude > FloatBits<Bits>::infinity(), FloatBits<Bits>::nan(), number);
}

}  // namespace crosslane

#endif  // CROSSLANE_FLOAT_ORDER_HLSLI
