// One part of Fourier transforms, on SIZE complex values of TYPE per thread: transforms of RADIX points in registers, or
// the exchange after a stage of that radix, by shuffles or through groupshared memory.
#include "crosslane/fft_odd.hlsli"
#include "crosslane/group/fft.hlsli"
#include "crosslane/lane.hlsli"

#if defined(__spirv__)
#define BINDING(slot) [[vk::binding(slot)]]
#define PUSH_CONSTANT [[vk::push_constant]]
#else
#define BINDING(slot)
#define PUSH_CONSTANT
#endif

#define THREADS 128  // full waves, at every wave size
typedef vector<TYPE, 2> Complex;

struct Constants {
  uint thread_bits;
  uint beside_bits;
  uint done_bits;
};
PUSH_CONSTANT ConstantBuffer<Constants> constants;
BINDING(0) StructuredBuffer<Complex> values;     // [element][value]
BINDING(1) RWStructuredBuffer<Complex> results;  // the same

CROSSLANE_GROUP_SCRATCH(Scratch, TYPE, THREADS * SIZE)

[numthreads(THREADS, 1, 1)]
void main(uint group_index : SV_GroupIndex) {
  const uint element = crosslane::FindWavePlace(group_index, THREADS).element;
  Complex v[SIZE];
  [unroll] for (uint i = 0; i < SIZE; ++i) {
    v[i] = values[element * SIZE + i];
  }
#if defined(ODD)
  crosslane::FftOfOdd<TYPE, RADIX>::run(v);
#elif defined(REGISTERS)
  crosslane::FftInRegisters<TYPE, SIZE, RADIX>::run(v);
#else
  const crosslane::FftShare share =
      crosslane::FftShare::of(element, constants.thread_bits, constants.beside_bits);
#if defined(SHUFFLE)
  crosslane::FftExchangeByShuffle<TYPE, SIZE>::exchange<RADIX>(v, share, constants.done_bits);
#elif defined(GROUPSHARED)
  crosslane::FftExchangeByGroupshared<TYPE, SIZE, Scratch, TYPE>::exchange<RADIX>(v, share, constants.done_bits);
#endif
#endif
  [unroll] for (uint k = 0; k < SIZE; ++k) {
    results[element * SIZE + k] = v[k];
  }
}
