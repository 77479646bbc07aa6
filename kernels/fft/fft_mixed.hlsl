// One pass of a Fourier transform over lines of any number of points that is a product of 2, 3, 4, 5, 7 and 8: a stage for each
// factor, between which the points go through groupshared memory, the real parts first.
//
// In a stage of radix r a line of n points has n / r butterflies. Thread t of a line's T takes butterflies t, t + T, t + 2 T …, and has
// point j of the q-th of them as value q * r + j. With D the product of the radices before, butterfly b reads points
// b + j * n / r, and what it makes of them is, in Stockham's order, points b / D * D * r + j * D + b % D.
//
// A variant defines what arrays.hlsli asks for; VALUES, the most that a thread holds; and SCRATCH, the most points of a group's
// lines. The host chooses T so that all butterflies fit.
#include "crosslane/fft_odd.hlsli"
#include "crosslane/fft_registers.hlsli"
#include "crosslane/group/scratch.hlsli"
#include "line.hlsli"

[[vk::constant_id(CROSSLANE_FFT_POINTS)]] const uint points = 6;
[[vk::constant_id(CROSSLANE_FFT_LINE_THREADS)]] const uint line_threads = 1;
[[vk::constant_id(CROSSLANE_FFT_BESIDE)]] const uint beside = 1;
[[vk::constant_id(CROSSLANE_FFT_ROWS)]] const uint rows = 1;
[[vk::constant_id(CROSSLANE_FFT_RADICES)]] const uint radices = 0x32;

CROSSLANE_GROUP_SCRATCH(Scratch, REAL, SCRATCH)

// A thread's part of a line: [row][thread][beside], as in wave/fft.hlsli.
struct Share {
  uint thread;
  uint beside_number;
  uint row;

  static Share of(uint element) {
    Share made;
    made.beside_number = element % beside;
    made.thread = element / beside % line_threads;
    made.row = element / (beside * line_threads);
    return made;
  }

  uint line_number() { return row * beside + beside_number; }
  // Where a point lies in the scratch.
  uint place(uint point_number) { return (row * points + point_number) * beside + beside_number; }
};

// exp(-2 pi i x / N)
Complex Factor(uint x) {
  const Complex near = table[params.near_factors + (x & ((1u << params.factor_bits) - 1))];
  return crosslane::ComplexMultiply<REAL>(near, table[params.far_factors + (x >> params.factor_bits)]);
}

// A butterfly.
template <uint Radix> struct Butterfly {
  static void run(inout Complex x[Radix]) { crosslane::FftOfOdd<REAL, Radix>::run(x); }
};
template <> struct Butterfly<2> {
  static void run(inout Complex x[2]) { crosslane::FftInRegisters<REAL, 2, 2>::run(x); }
};
template <> struct Butterfly<4> {
  static void run(inout Complex x[4]) { crosslane::FftInRegisters<REAL, 4, 4>::run(x); }
};
template <> struct Butterfly<8> {
  static void run(inout Complex x[8]) { crosslane::FftInRegisters<REAL, 8, 8>::run(x); }
};

// What a thread does in a stage of one radix; `is_there` says whether it has a line.
template <uint Radix> struct Stage {
  static const uint kMost = VALUES / Radix;  // butterflies of a thread

  static uint butterfly(Share share, uint q) { return share.thread + q * line_threads; }
  static uint count(bool is_there) { return is_there ? points / Radix : 0; }
  // The first of the points that butterfly b leaves behind.
  static uint behind(uint b, uint done) { return b % done + (b - b % done) * Radix; }

  static void read(inout Complex v[VALUES], Share share, bool is_there, Line own) {
    [unroll] for (uint q = 0; q < kMost; ++q) {
      const uint b = butterfly(share, q);
      if (b < count(is_there)) {
        [unroll] for (uint j = 0; j < Radix; ++j) {
          const uint at = b + j * (points / Radix);
          Complex x = own.read(at);
          if (params.done != 1) {
            x = crosslane::ComplexMultiply<REAL>(x, Factor(at * own.done * params.factor_step));
          }
          v[q * Radix + j] = x;
        }
      }
    }
  }

  // Point j of butterfly b is multiplied by exp(-2 pi i j (b % D) / (D r)) first.
  static void transform(inout Complex v[VALUES], Share share, bool is_there, uint done) {
    [unroll] for (uint q = 0; q < kMost; ++q) {
      const uint b = butterfly(share, q);
      if (b < count(is_there)) {
        Complex x[Radix];
        const uint root = b % done * (points / (done * Radix));
        [unroll] for (uint i = 0; i < Radix; ++i) {
          x[i] = v[q * Radix + i];
          if (i != 0 && done != 1) {
            x[i] = crosslane::ComplexMultiply<REAL>(x[i], table[params.roots + i * root]);
          }
        }
        Butterfly<Radix>::run(x);
        [unroll] for (uint k = 0; k < Radix; ++k) {
          v[q * Radix + k] = x[k];
        }
      }
    }
  }

  static void store(Complex v[VALUES], Share share, bool is_there, uint done, uint part) {
    [unroll] for (uint q = 0; q < kMost; ++q) {
      const uint b = butterfly(share, q);
      if (b < count(is_there)) {
        const uint first = share.place(behind(b, done));
        [unroll] for (uint j = 0; j < Radix; ++j) {
          Scratch::store(first + j * done * beside, v[q * Radix + j][part]);
        }
      }
    }
  }

  static void load(inout Complex v[VALUES], Share share, bool is_there, uint part) {
    [unroll] for (uint q = 0; q < kMost; ++q) {
      const uint b = butterfly(share, q);
      if (b < count(is_there)) {
        const uint first = share.place(b);
        [unroll] for (uint j = 0; j < Radix; ++j) {
          v[q * Radix + j][part] = Scratch::load(first + j * (points / Radix) * beside);
        }
      }
    }
  }

  static void write(Complex v[VALUES], Share share, bool is_there, uint done, Line own) {
    [unroll] for (uint q = 0; q < kMost; ++q) {
      const uint b = butterfly(share, q);
      if (b < count(is_there)) {
        [unroll] for (uint j = 0; j < Radix; ++j) {
          own.write(behind(b, done) + j * done, v[q * Radix + j]);
        }
      }
    }
  }
};

// Stage<radix>:: what follows. Radices that the size lacks are gone before the kernel is compiled.
#define STAGE_CASE(Radix, ...)             \
  case Radix:                              \
    if (points % Radix == 0) {             \
      Stage<Radix>::__VA_ARGS__;           \
    }                                      \
    break;
#define IN_STAGE(radix, ...)               \
  switch (radix) {                         \
    STAGE_CASE(2, __VA_ARGS__)             \
    STAGE_CASE(3, __VA_ARGS__)             \
    STAGE_CASE(4, __VA_ARGS__)             \
    STAGE_CASE(5, __VA_ARGS__)             \
    STAGE_CASE(7, __VA_ARGS__)             \
    STAGE_CASE(8, __VA_ARGS__)             \
  }

[numthreads(THREADS, 1, 1)]
void main(uint3 group_id : SV_GroupID, uint group_index : SV_GroupIndex) {
  const Share share = Share::of(group_index);
  const uint number = params.first_line + group_id.x * (rows * beside) + share.line_number();
  const bool is_there = share.row < rows && number < params.end_line;
  const Line own = Line::of(number, points);
  Complex v[VALUES];
  [unroll] for (uint i = 0; i < VALUES; ++i) {
    v[i] = Complex(0, 0);
  }
  IN_STAGE(radices & 15, read(v, share, is_there, own))
  uint radix = 0;
  uint done = 1;
  for (uint left = radices; left != 0; left >>= 4) {
    done *= max(radix, 1);
    radix = left & 15;
    IN_STAGE(radix, transform(v, share, is_there, done))
    const uint next = (left >> 4) & 15;
    if (next != 0) {
      [unroll] for (uint part = 0; part < 2; ++part) {
        if (done != 1 || part != 0) {
          GroupMemoryBarrierWithGroupSync();  // what was read before has been
        }
        IN_STAGE(radix, store(v, share, is_there, done, part))
        GroupMemoryBarrierWithGroupSync();
        IN_STAGE(next, load(v, share, is_there, part))
      }
    }
  }
  IN_STAGE(radix, write(v, share, is_there, done, own))
}
