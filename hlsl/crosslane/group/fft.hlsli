// Fourier transforms over the threads of a group.
//
// Value j of thread t of T is point t + j * T of its transform, before and after: neighbours hold neighbouring points,
// so that loads and stores coalesce. Each stage transforms what a thread holds (fft_registers.hlsli); between stages
// threads exchange values by one of the strategies below, a struct with a static exchange<Radix>(v, share, done_bits) as
// in wave/fft.hlsli. Every thread of the group calls, in uniform control flow.
#ifndef CROSSLANE_GROUP_FFT_HLSLI
#define CROSSLANE_GROUP_FFT_HLSLI

#include "crosslane/fft_registers.hlsli"
#include "crosslane/group/scratch.hlsli"
#include "crosslane/wave/fft.hlsli"

namespace crosslane {
namespace detail {

// What goes through the scratch at a time: whole numbers, or the parts one after the other where they take too much
// memory.
template <typename T, typename Unit> struct FftUnits {
  static const uint kCount = 1;
  static Unit get(vector<T, 2> v, uint unit) { return v; }
  static void set(inout vector<T, 2> v, uint unit, Unit value) { v = value; }
};
template <typename T> struct FftUnits<T, T> {
  static const uint kCount = 2;
  static T get(vector<T, 2> v, uint unit) { return v[unit]; }
  static void set(inout vector<T, 2> v, uint unit, T value) { v[unit] = value; }
};

}  // namespace detail

// Through groupshared memory alone, for any number of threads. `Scratch` holds Size values of type Unit per thread of
// the group: vector<T, 2>, or T for half the memory and twice the barriers. A transform that follows another one with the
// same scratch waits for a barrier first.
// Cost: Size stores and loads, two barriers, of which a transform's first exchange has one; twice as many of all of them
// for Unit = T.
template <typename T, uint Size, typename Scratch, typename Unit> struct FftExchangeByGroupshared {
  template <uint Radix> static void exchange(inout vector<T, 2> v[Size], FftShare share, uint done_bits) {
    const uint step = Size / Radix;
    const uint radix_bits = FftBits<Radix>::kCount;
    [unroll] for (uint unit = 0; unit < detail::FftUnits<T, Unit>::kCount; ++unit) {
      if (done_bits != 0 || unit != 0) {
        GroupMemoryBarrierWithGroupSync();  // what was read before has been
      }
      [unroll] for (uint q = 0; q < step; ++q) {
        const uint number = (q << share.thread_bits) + share.thread;
        const uint low = number & ((1u << done_bits) - 1);
        const uint first = (number >> done_bits << (done_bits + radix_bits)) | low;
        [unroll] for (uint r = 0; r < Radix; ++r) {
          Scratch::store(place(share, first + (r << done_bits)),
                         detail::FftUnits<T, Unit>::get(v[r * step + q], unit));
        }
      }
      GroupMemoryBarrierWithGroupSync();
      [unroll] for (uint j = 0; j < Size; ++j) {
        detail::FftUnits<T, Unit>::set(v[j], unit,
                                       Scratch::load(place(share, (j << share.thread_bits) + share.thread)));
      }
    }
  }

  // Where a point lies in the scratch. A stage stores with a distance of Radix or more between lanes and loads
  // without: xor with the number of the Size points that it belongs to spreads both over all banks, and takes no padding.
  static uint place(FftShare share, uint number) {
    const uint transform_points = Size << share.thread_bits;
    const uint at = ((share.row * transform_points + number) << share.beside_bits) | share.beside;
    return at ^ (at / Size);
  }
};

// By shuffles where a transform's threads are lanes of one wave, through groupshared memory where it takes several.
template <typename T, uint Size, typename Scratch, typename Unit> struct FftExchangeByWaves {
  template <uint Radix> static void exchange(inout vector<T, 2> v[Size], FftShare share, uint done_bits) {
    if (share.is_in_wave()) {
      FftExchangeByShuffle<T, Size>::template exchange<Radix>(v, share, done_bits);
    } else {
      FftExchangeByGroupshared<T, Size, Scratch, Unit>::template exchange<Radix>(v, share, done_bits);
    }
  }
};

// Transforms of Size << share.thread_bits points. The first stage has what radix is left when all others have Size.
//
// `Twiddles::load(i)` gives factor i of a table that is made on the host: cosines and sines of GPUs are not accurate enough.
// For each stage after the first, with D as in wave/fft.hlsli, it has exp(-2 pi i * l * 2^b / (D * Size)) at b * D + l,
// for each b < log2(Size) and l < D; the stages' parts follow each other.
// Cost: log(n) / log(Size) stages, rounded up, and an exchange between each two; log2(Size) loads of factors per thread
// and stage but the first.
template <typename Exchanger, typename Twiddles, typename T, uint Size> struct GroupFft {
  static void run(inout vector<T, 2> v[Size], FftShare share) {
    const uint value_bits = FftBits<Size>::kCount;
    const uint size_bits = share.thread_bits + value_bits;
    const uint first_bits = (size_bits - 1) % value_bits + 1;
    switch (first_bits) {
      case 1: run_first<2>(v, share); break;
      case 2: run_first<(Size < 4 ? Size : 4)>(v, share); break;
      case 3: run_first<(Size < 8 ? Size : 8)>(v, share); break;
      default: run_first<(Size < 16 ? Size : 16)>(v, share); break;
    }
    uint table = 0;
    for (uint done_bits = first_bits; done_bits < size_bits; done_bits += value_bits) {
      const uint row = table + (share.thread & ((1u << done_bits) - 1));
      vector<T, 2> w[FftBits<Size>::kCount];
      [unroll] for (uint bit = 0; bit < FftBits<Size>::kCount; ++bit) {
        w[bit] = Twiddles::load(row + (bit << done_bits));
      }
      MultiplyByPowers<T, Size>(v, w);
      FftInRegisters<T, Size, Size>::run(v);
      if (done_bits + value_bits < size_bits) {
        Exchanger::template exchange<Size>(v, share, done_bits);
      }
      table += value_bits << done_bits;
    }
  }

  template <uint Radix> static void run_first(inout vector<T, 2> v[Size], FftShare share) {
    FftInRegisters<T, Size, Radix>::run(v);
    if (share.thread_bits != 0) {
      Exchanger::template exchange<Radix>(v, share, 0);
    }
  }
};

}  // namespace crosslane

#endif  // CROSSLANE_GROUP_FFT_HLSLI
