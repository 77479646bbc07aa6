// Between the spectrum of n real numbers and that of the n / 2 complex numbers that their pairs are taken for.
//
// With M = n / 2, w = exp(-2 pi i / n), Z the spectrum of the pairs, k from 0 to M and Z[M] = Z[0]:
//   X[k] = (Z[k] + conj(Z[M - k])) / 2 + w^k / i * (Z[k] - conj(Z[M - k])) / 2
// and X[M - k] is the conjugate of the same with a minus. The way back has no halves, and i / w^k for w^k / i. So a thread takes
// both, k and M - k, from where two values lie to where two go, for k up to M / 2.
#include "crosslane/wave_size.hlsli"

#include "arrays.hlsli"

[[vk::constant_id(CROSSLANE_FFT_MERGES)]] const uint merges = 0;  // 1: from X to Z

Complex Conjugate(Complex v) { return Complex(v.x, -v.y); }

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 thread : SV_DispatchThreadID) {
  const uint number = params.first_line + thread.x;
  if (number >= params.end_line) {
    return;
  }
  const uint pairs = params.from_points / 2 + 1;
  const uint transform = number / pairs;
  const uint k = number % pairs;
  const uint mirrored = params.from_points - k;
  const uint from = FirstOf(params.from, transform);
  const uint to = FirstOf(params.to, transform);
  // Behind the last of M points comes the first again.
  const uint last = merges == 0 && k == 0 ? 0 : mirrored;
  Complex a = input[from + k * params.from.stride];
  Complex b = input[from + last * params.from.stride];
  if (merges != 0 && k == 0) {  // these two are real; what else they have does not count
    a.y = 0;
    b.y = 0;
  }
  Complex factor = crosslane::ComplexDivideByI<REAL>(table[params.stages + k]);
  REAL half = REAL(0.5);
  if (merges != 0) {
    factor = Conjugate(factor);
    half = REAL(1);
  }
  const Complex sum = (a + Conjugate(b)) * half;
  const Complex difference = crosslane::ComplexMultiply<REAL>(factor, (a - Conjugate(b)) * half);
  output[to + k * params.to.stride] = (sum + difference) * Scale();
  const bool has_mirrored = merges == 0 || k != 0;
  if (has_mirrored && mirrored != k) {
    output[to + mirrored * params.to.stride] = Conjugate(sum - difference) * Scale();
  }
}
