// Fourier transforms of 3, 5 or 7 values that one lane holds, in registers; for powers of two see fft_registers.hlsli.
//
// T is float or double, a value a vector<T, 2> (complex.hlsli). Loops run over constants, so that values stay in
// registers and every factor is a literal.
#ifndef CROSSLANE_FFT_ODD_HLSLI
#define CROSSLANE_FFT_ODD_HLSLI

#include "crosslane/complex.hlsli"

namespace crosslane {

// cos and sin of 2 pi k / Radix, for k from 1 to Radix / 2.
template <typename T, uint Radix> struct FftOddRoots;
#define CROSSLANE_FFT_ODD_ROOTS(T, Radix, c1, c2, c3, s1, s2, s3)                 \
  template <> struct FftOddRoots<T, Radix> {                                      \
    static T cosine(uint k) { return select(k == 1, c1, select(k == 2, c2, c3)); } \
    static T sine(uint k) { return select(k == 1, s1, select(k == 2, s2, s3)); }   \
  };
CROSSLANE_FFT_ODD_ROOTS(float, 3, -0.5f, 0.0f, 0.0f, 0.866025403784438646764f, 0.0f, 0.0f)
CROSSLANE_FFT_ODD_ROOTS(float, 5, 0.309016994374947424102f, -0.809016994374947424102f, 0.0f,
                        0.951056516295153572116f, 0.587785252292473129169f, 0.0f)
CROSSLANE_FFT_ODD_ROOTS(float, 7, 0.623489801858733530525f, -0.222520933956314404289f, -0.900968867902419126236f,
                        0.781831482468029808709f, 0.974927912181823607018f, 0.433883739117558120476f)
CROSSLANE_FFT_ODD_ROOTS(double, 3, -0.5L, 0.0L, 0.0L, 0.866025403784438646764L, 0.0L, 0.0L)
CROSSLANE_FFT_ODD_ROOTS(double, 5, 0.309016994374947424102L, -0.809016994374947424102L, 0.0L,
                        0.951056516295153572116L, 0.587785252292473129169L, 0.0L)
CROSSLANE_FFT_ODD_ROOTS(double, 7, 0.623489801858733530525L, -0.222520933956314404289L, -0.900968867902419126236L,
                        0.781831482468029808709L, 0.974927912181823607018L, 0.433883739117558120476L)
#undef CROSSLANE_FFT_ODD_ROOTS

// In natural order before and after. Results k and Radix - k share their sums: of the even part of x, times cosines, and
// of its odd part, times sines.
// Cost: with h = Radix / 2, 2 h * h real factors each for real and imaginary parts, and 2 h * (h + 2) additions each.
template <typename T, uint Radix> struct FftOfOdd {
  static void run(inout vector<T, 2> x[Radix]) {
    const uint pairs = Radix / 2;
    vector<T, 2> even[pairs];
    vector<T, 2> odd[pairs];
    vector<T, 2> sum = x[0];
    [unroll] for (uint n = 1; n <= pairs; ++n) {
      even[n - 1] = x[n] + x[Radix - n];
      odd[n - 1] = x[n] - x[Radix - n];
      sum += even[n - 1];
    }
    const vector<T, 2> first = x[0];
    x[0] = sum;
    [unroll] for (uint k = 1; k <= pairs; ++k) {
      vector<T, 2> with_cosines = first;
      vector<T, 2> with_sines = vector<T, 2>(0, 0);
      [unroll] for (uint m = 1; m <= pairs; ++m) {
        const uint turns = k * m % Radix;  // of Radix; beyond a half the sine is that of the rest, negative
        if (turns <= pairs) {
          with_cosines += even[m - 1] * FftOddRoots<T, Radix>::cosine(turns);
          with_sines += odd[m - 1] * FftOddRoots<T, Radix>::sine(turns);
        } else {
          with_cosines += even[m - 1] * FftOddRoots<T, Radix>::cosine(Radix - turns);
          with_sines -= odd[m - 1] * FftOddRoots<T, Radix>::sine(Radix - turns);
        }
      }
      const vector<T, 2> turned = ComplexDivideByI<T>(with_sines);
      x[k] = with_cosines + turned;
      x[Radix - k] = with_cosines - turned;
    }
  }
};

}  // namespace crosslane

#endif  // CROSSLANE_FFT_ODD_HLSLI
