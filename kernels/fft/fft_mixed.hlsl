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

// What a thread's values are in a stage, from the first on.
struct Value {
  uint butterfly;
  uint low;  // butterfly % D
  uint digit;

  static Value first(Share share, uint done) {
    Value made;
    made.butterfly = share.thread;
    made.low = share.thread % done;
    made.digit = 0;
    return made;
  }

  void advance(uint radix, uint done) {
    ++digit;
    if (digit == radix) {
      digit = 0;
      butterfly += line_threads;
      low = butterfly % done;
    }
  }

  uint before(uint butterflies) { return butterfly + digit * butterflies; }
  uint behind(uint radix, uint done) { return (butterfly - low) * radix + digit * done + low; }
};

// exp(-2 pi i x / N)
Complex Factor(uint x) {
  const Complex near = table[params.near_factors + (x & ((1u << params.factor_bits) - 1))];
  return crosslane::ComplexMultiply<REAL>(near, table[params.far_factors + (x >> params.factor_bits)]);
}

template <typename Transform, uint Radix>
void TransformEach(inout Complex v[VALUES]) {
  [unroll] for (uint first = 0; first + Radix <= VALUES; first += Radix) {
    Complex x[Radix];
    [unroll] for (uint i = 0; i < Radix; ++i) {
      x[i] = v[first + i];
    }
    Transform::run(x);
    [unroll] for (uint k = 0; k < Radix; ++k) {
      v[first + k] = x[k];
    }
  }
}

void TransformByRadix(inout Complex v[VALUES], uint radix) {
  switch (radix) {
    case 2: TransformEach<crosslane::FftInRegisters<REAL, 2, 2>, 2>(v); break;
    case 3: TransformEach<crosslane::FftOfOdd<REAL, 3>, 3>(v); break;
    case 4: TransformEach<crosslane::FftInRegisters<REAL, 4, 4>, 4>(v); break;
    case 5: TransformEach<crosslane::FftOfOdd<REAL, 5>, 5>(v); break;
    case 7: TransformEach<crosslane::FftOfOdd<REAL, 7>, 7>(v); break;
    default: TransformEach<crosslane::FftInRegisters<REAL, 8, 8>, 8>(v); break;
  }
}

// From where a stage leaves its points to where the next one, of radix `next`, takes them.
void Exchange(inout Complex v[VALUES], Share share, bool is_there, uint radix, uint done, uint next) {
  const uint left = is_there ? points / radix : 0;
  const uint taken = is_there ? points / next : 0;
  [unroll] for (uint part = 0; part < 2; ++part) {
    if (done != 1 || part != 0) {
      GroupMemoryBarrierWithGroupSync();  // what was read before has been
    }
    Value from = Value::first(share, done);
    [unroll] for (uint i = 0; i < VALUES; ++i) {
      if (from.butterfly < left) {
        Scratch::store(share.place(from.behind(radix, done)), v[i][part]);
      }
      from.advance(radix, done);
    }
    GroupMemoryBarrierWithGroupSync();
    Value to = Value::first(share, 1);
    [unroll] for (uint k = 0; k < VALUES; ++k) {
      if (to.butterfly < taken) {
        v[k][part] = Scratch::load(share.place(to.before(taken)));
      }
      to.advance(next, 1);
    }
  }
}

// The factors of a stage: point j of butterfly b is multiplied by exp(-2 pi i j (b % D) / (D r)).
void MultiplyByRoots(inout Complex v[VALUES], Share share, uint radix, uint done) {
  const uint step = points / (done * radix);
  Value value = Value::first(share, done);
  [unroll] for (uint i = 0; i < VALUES; ++i) {
    if (value.digit != 0) {
      v[i] = crosslane::ComplexMultiply<REAL>(v[i], table[params.roots + value.digit * value.low * step]);
    }
    value.advance(radix, done);
  }
}

void ReadAll(inout Complex v[VALUES], Line own, Share share, bool is_there) {
  const uint radix = radices & 15;
  const uint taken = is_there ? points / radix : 0;
  Value value = Value::first(share, 1);
  [unroll] for (uint i = 0; i < VALUES; ++i) {
    v[i] = Complex(0, 0);
    if (value.butterfly < taken) {
      const uint at = value.before(taken);
      v[i] = own.read(at);
      if (params.done != 1) {
        v[i] = crosslane::ComplexMultiply<REAL>(v[i], Factor(at * own.done * params.factor_step));
      }
    }
    value.advance(radix, 1);
  }
}

void WriteAll(Complex v[VALUES], Line own, Share share, bool is_there, uint radix, uint done) {
  const uint left = is_there ? points / radix : 0;
  Value value = Value::first(share, done);
  [unroll] for (uint i = 0; i < VALUES; ++i) {
    if (value.butterfly < left) {
      own.write(value.behind(radix, done), v[i]);
    }
    value.advance(radix, done);
  }
}

[numthreads(THREADS, 1, 1)]
void main(uint3 group_id : SV_GroupID, uint group_index : SV_GroupIndex) {
  const Share share = Share::of(group_index);
  const uint number = params.first_line + group_id.x * (rows * beside) + share.line_number();
  const bool is_there = share.row < rows && number < params.end_line;
  const Line own = Line::of(number, points);
  Complex v[VALUES];
  ReadAll(v, own, share, is_there);
  uint radix = 0;
  uint done = 1;
  for (uint left = radices; left != 0; left >>= 4) {
    done *= max(radix, 1);
    radix = left & 15;
    if (done != 1) {
      MultiplyByRoots(v, share, radix, done);
    }
    TransformByRadix(v, radix);
    if (left > 15) {
      Exchange(v, share, is_there, radix, done, (left >> 4) & 15);
    }
  }
  WriteAll(v, own, share, is_there, radix, done);
}
