// Fourier transforms of the values that one lane holds: 2, 4, 8 or 16 of them, in registers.
//
// The transform of x is X[k] = sum over n of x[n] * w^(n k), with w = exp(-2 pi i / size). The inverse, without its
// factor 1 / size, is the same with real and imaginary parts exchanged before and after: v.yx.
//
// T is float or double, a value a vector<T, 2> (complex.hlsli). Loops run over constants, so that values stay in
// registers and every factor is a literal.
#ifndef CROSSLANE_FFT_REGISTERS_HLSLI
#define CROSSLANE_FFT_REGISTERS_HLSLI

#include "crosslane/complex.hlsli"

namespace crosslane {

// log2 of a number of values, 2, 4, 8 or 16, for loops that are unrolled.
template <uint Size> struct FftBits {
  static const uint kCount = Size == 16 ? 4 : Size == 8 ? 3 : Size == 4 ? 2 : 1;
};

// cos and sin of pi/8, and cos of pi/4.
template <typename T> struct FftConstants;
template <> struct FftConstants<float> {
  static float cosine() { return 0.923879532511286756128; }
  static float sine() { return 0.382683432365089771728; }
  static float half_root() { return 0.707106781186547524401; }
};
template <> struct FftConstants<double> {
  static double cosine() { return 0.923879532511286756128L; }
  static double sine() { return 0.382683432365089771728L; }
  static double half_root() { return 0.707106781186547524401L; }
};

namespace detail {

// v * exp(-2 pi i sixteenths / 16), for a constant number of sixteenths of a turn from 0 to 7.
template <typename T>
vector<T, 2> Turn(vector<T, 2> v, uint sixteenths) {
  const T c = FftConstants<T>::cosine();
  const T s = FftConstants<T>::sine();
  const T h = FftConstants<T>::half_root();
  if (sixteenths >= 4) {
    v = ComplexDivideByI<T>(v);
  }
  if (sixteenths % 4 == 1) {
    v = ComplexMultiply<T>(v, vector<T, 2>(c, -s));
  } else if (sixteenths % 4 == 2) {
    v = vector<T, 2>((v.x + v.y) * h, (v.y - v.x) * h);
  } else if (sixteenths % 4 == 3) {
    v = ComplexMultiply<T>(v, vector<T, 2>(s, -c));
  }
  return v;
}

// A number of log2(Radix) bits with its bits in reverse, for radices up to 16.
uint ReverseDigit(uint digit, uint radix) {
  const uint four_bits = ((digit & 1) << 3) | ((digit & 2) << 1) | ((digit & 4) >> 1) | ((digit & 8) >> 3);
  return four_bits / (16 / radix);
}

}  // namespace detail

// Transforms the values at places q, q + Step, q + 2 * Step … for each q < Step = Size / Radix: Step transforms of
// Radix points, 2, 4, 8 or 16, in natural order before and after.
// Cost: Step * Radix * log2(Radix) / 2 butterflies of one addition and one subtraction each, and Step times 0, 0, 2 or 10
// turns that are not by a quarter.
template <typename T, uint Size, uint Radix> struct FftInRegisters {
  _Static_assert(Radix == 2 || Radix == 4 || Radix == 8 || Radix == 16, "transforms in registers are of 2 to 16 points");
  _Static_assert(Size >= Radix && Size % Radix == 0, "all points of a transform are there");

  static void run(inout vector<T, 2> v[Size]) {
    const uint step = Size / Radix;
    halve<8>(v);
    halve<4>(v);
    halve<2>(v);
    halve<1>(v);
    const vector<T, 2> reversed[Size] = v;
    [unroll] for (uint i = 0; i < Radix; ++i) {
      [unroll] for (uint q = 0; q < step; ++q) {
        v[i * step + q] = reversed[detail::ReverseDigit(i, Radix) * step + q];
      }
    }
  }

  // Splits transforms of 2 * Half points into two of Half points.
  template <uint Half> static void halve(inout vector<T, 2> v[Size]) {
    if (Half < Radix) {
      const uint step = Size / Radix;
      [unroll] for (uint pair = 0; pair < Radix / 2; ++pair) {
        const uint low = (pair / Half * 2 * Half + pair % Half) * step;
        const uint high = low + Half * step;
        [unroll] for (uint q = 0; q < step; ++q) {
          const vector<T, 2> a = v[low + q];
          const vector<T, 2> b = v[high + q];
          v[low + q] = a + b;
          v[high + q] = detail::Turn<T>(a - b, pair % Half * (8 / Half));
        }
      }
    }
  }
};

// Multiplies value j by w^j, given w, w^2, w^4 … : one factor for each bit of j, so that rounding does not pile up as
// in a chain of Size powers.
// Cost: Size * log2(Size) / 2 complex multiplications, no registers.
template <typename T, uint Size>
void MultiplyByPowers(inout vector<T, 2> v[Size], vector<T, 2> w[FftBits<Size>::kCount]) {
  [unroll] for (uint bit = 0; bit < FftBits<Size>::kCount; ++bit) {
    [unroll] for (uint j = 0; j < Size; ++j) {
      if (((j >> bit) & 1) != 0) {
        v[j] = ComplexMultiply<T>(v[j], w[bit]);
      }
    }
  }
}

}  // namespace crosslane

#endif  // CROSSLANE_FFT_REGISTERS_HLSLI
