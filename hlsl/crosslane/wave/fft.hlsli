// How the threads of a Fourier transform exchange their values between two stages, by shuffles.
//
// A transform of n points is spread over T = n / Size threads with Size values each: value j of thread t is point
// t + j * T. A stage transforms Radix points with equal distances in every thread, after which they have to meet others:
// Stockham's order, in which points are in natural order before the first and after the last stage. With D the product of the
// radices of the stages before, point [q][h][l] of digit r goes to point [q][h][r][l], where l < D, and q and h are the
// rest of the value's and of the thread's number. Everything is a power of two, so all this is a matter of bits that
// change places.
#ifndef CROSSLANE_WAVE_FFT_HLSLI
#define CROSSLANE_WAVE_FFT_HLSLI

#include "crosslane/fft_registers.hlsli"
#include "crosslane/shuffle.hlsli"
#include "crosslane/wave/transpose.hlsli"

namespace crosslane {

// How the threads of a group share its transforms. Thread numbers have three parts, [row][thread][beside]: neighbours
// are the same threads of transforms that lie beside each other in memory, where the points of one do not.
struct FftShare {
  uint thread;       // the thread's number among those of its transform
  uint thread_bits;  // log2 of how many these are
  uint beside;
  uint beside_bits;
  uint row;

  static FftShare of(uint element, uint thread_bits, uint beside_bits) {
    FftShare share;
    share.thread = (element >> beside_bits) & ((1u << thread_bits) - 1);
    share.thread_bits = thread_bits;
    share.beside = element & ((1u << beside_bits) - 1);
    share.beside_bits = beside_bits;
    share.row = element >> (thread_bits + beside_bits);
    return share;
  }

  // The transform's number in the group.
  uint transform() { return (row << beside_bits) | beside; }
  // Whether all threads of a transform are lanes of one wave, where waves are full and their lanes numbered in a row.
  bool is_in_wave() { return (1u << (thread_bits + beside_bits)) <= WaveGetLaneCount(); }
};

// Precondition: share.is_in_wave(), and all lanes of the wave are active.
template <typename T, uint Size> struct FftExchangeByShuffle {
  // `done_bits` is log2(D), `thread_bits` at least done_bits + log2(Radix) where Radix = Size, and at least log2(Radix)
  // where it is less, which only the first stage may be.
  // Cost: Size shuffles, 2 * Size * log2(Size) selects.
  template <uint Radix> static void exchange(inout vector<T, 2> v[Size], FftShare share, uint done_bits) {
    const uint step = Size / Radix;
    const uint radix_bits = FftBits<Radix>::kCount;
    // The values that change lanes are those whose digit is not the one that is highest in the thread's own number: as in
    // WaveTranspose, values for the same distance go to the same place first.
    const uint moved_bits = share.thread_bits - radix_bits;
    detail::Places<vector<T, 2>, Size>::flip(v, (share.thread >> moved_bits) * step);
    const uint digit = (share.thread >> done_bits) & (Radix - 1);
    const uint low = share.thread & ((1u << done_bits) - 1);
    const uint kept = (share.thread >> (done_bits + radix_bits) << done_bits) | low;
    const uint first_lane = WaveGetLaneIndex() - (share.thread << share.beside_bits);
    [unroll] for (uint i = 0; i < Size; ++i) {
      const uint source = (((i / step) ^ digit) << moved_bits) | kept;
      v[i] = WaveShuffle(v[i], int(first_lane + (source << share.beside_bits)));
    }
    detail::Places<vector<T, 2>, Size>::flip(v, digit * step);
    const vector<T, 2> received[Size] = v;
    [unroll] for (uint j = 0; j < Size; ++j) {
      v[j] = received[j % Radix * step + j / Radix];
    }
  }
};

}  // namespace crosslane

#endif  // CROSSLANE_WAVE_FFT_HLSLI
