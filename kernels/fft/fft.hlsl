// One pass of a Fourier transform (fft_params.hlsli): every group transforms as many lines as its threads hold, each of
// them POINTS points at a time.
//
// A variant defines what arrays.hlsli asks for; POINTS, 2, 4, 8 or 16; UNIT, what goes through groupshared memory at a
// time; METHOD_GROUPSHARED or METHOD_SHUFFLE; PAIRS where points may be read two at a time, which takes shuffles;
// and HALVES where they may be of 16-bit floats.
#include "arrays.hlsli"
#include "crosslane/group/fft.hlsli"
#include "crosslane/lane.hlsli"

[[vk::constant_id(CROSSLANE_FFT_SIZE_BITS)]] const uint size_bits = 4;
[[vk::constant_id(CROSSLANE_FFT_BESIDE_BITS)]] const uint beside_bits = 0;
[[vk::constant_id(CROSSLANE_FFT_WINDOWED)]] const uint windowed = 0;

CROSSLANE_GROUP_SCRATCH(Scratch, UNIT, THREADS * POINTS)

#if defined(METHOD_GROUPSHARED)
typedef crosslane::FftExchangeByGroupshared<REAL, POINTS, Scratch, UNIT> Exchanger;
#elif defined(METHOD_SHUFFLE)
typedef crosslane::FftExchangeByWaves<REAL, POINTS, Scratch, UNIT> Exchanger;
#endif

#if defined(HALVES)
#include "numbers.hlsli"
#define READ_NUMBER(place) ReadNumber(place)
#define WRITE_NUMBER(place, v) WriteNumber(place, v)
#else
#define READ_NUMBER(place) input[place]
#define WRITE_NUMBER(place, v) output[place] = v
#endif

#if defined(PAIRS)
[[vk::constant_id(CROSSLANE_FFT_PAIRED)]] const uint paired = 0;
#include "pairs.hlsli"
#endif

struct Twiddles {
  static Complex load(uint index) { return table[params.stages + index]; }
};

// A line, and where its points lie.
struct Line {
  uint unit;  // its number among the transform's lines
  uint done;  // the part of it that is a number of points transformed before
  uint above;  // the number among the results of its point 0
  uint from;
  uint to;

  static Line of(uint number) {
    const uint transform = number >> params.unit_bits;
    Line made;
    made.unit = number & ((1u << params.unit_bits) - 1);
    made.done = made.unit & ((1u << params.done_bits) - 1);
    made.above = (made.unit >> params.done_bits << (params.done_bits + size_bits)) + made.done;
    made.from = FirstOf(params.from, transform) + made.unit * params.from.stride;
    made.to = FirstOf(params.to, transform) + made.above * params.to.stride;
    return made;
  }

  uint source(uint number) { return from + (number << params.unit_bits) * params.from.stride; }
  uint target(uint number) { return to + (number << params.done_bits) * params.to.stride; }
};

// Point `at` of a line as the pass begins with it, and ends.
Complex Read(Line own, uint at) {
  const uint number = own.unit + (at << params.unit_bits);
  Complex v = Complex(0, 0);
  if (windowed == 0 || number < params.from_points) {
    v = READ_NUMBER(own.source(at));
    v = select(params.swap_from != 0, v.yx, v);
    if (windowed != 0 && params.from_factors != CROSSLANE_FFT_NO_FACTORS) {
      v = crosslane::ComplexMultiply<REAL>(v, table[params.from_factors + number]);
    }
  }
  return v;
}

void Write(Line own, uint at, Complex v) {
  const uint number = own.above + (at << params.done_bits);
  v = select(params.swap_to != 0, v.yx, v) * Scale();
  if (windowed == 0 || number < params.to_points) {
    if (windowed != 0 && params.to_factors != CROSSLANE_FFT_NO_FACTORS) {
      v = crosslane::ComplexMultiply<REAL>(v, table[params.to_factors + number]);
    }
    WRITE_NUMBER(own.target(at), v);
  }
}

// exp(-2 pi i x / (D R))
Complex Factor(uint x) {
  x <<= params.factor_shift;
  const Complex near = table[params.near_factors + (x & ((1u << params.factor_bits) - 1))];
  return crosslane::ComplexMultiply<REAL>(near, table[params.far_factors + (x >> params.factor_bits)]);
}

// The factors between this pass and those before: point p of the line is multiplied by Factor(p * done).
void MultiplyByFactors(inout Complex v[POINTS], Line own, crosslane::FftShare share) {
  const Complex first = Factor(own.done * share.thread);
  Complex steps[crosslane::FftBits<POINTS>::kCount];
  [unroll] for (uint bit = 0; bit < crosslane::FftBits<POINTS>::kCount; ++bit) {
    steps[bit] = Factor(own.done << (share.thread_bits + bit));
  }
  [unroll] for (uint j = 0; j < POINTS; ++j) {
    v[j] = crosslane::ComplexMultiply<REAL>(v[j], first);
  }
  crosslane::MultiplyByPowers<REAL, POINTS>(v, steps);
}

// A transform of one point is taken for one of two whose other point is 0.
bool IsPoint(uint at) { return size_bits != 0 || at == 0; }

void ReadAll(inout Complex v[POINTS], Line own, crosslane::FftShare share, bool is_there) {
#if defined(PAIRS)
  if (paired != 0) {
    if (is_there) {
      [unroll] for (uint pair = 0; pair < POINTS; pair += 2) {
        const float4 two = input_pairs[(own.from + PairOf(share, pair)) / 2];
        v[pair] = select(params.swap_from != 0, two.yx, two.xy);
        v[pair + 1] = select(params.swap_from != 0, two.wz, two.zw);
      }
    }
    ExchangePairs(v, share);
    return;
  }
#endif
  if (is_there) {
    [unroll] for (uint j = 0; j < POINTS; ++j) {
      const uint at = (j << share.thread_bits) + share.thread;
      if (IsPoint(at)) {
        v[j] = Read(own, at);
      }
    }
  }
}

void WriteAll(inout Complex v[POINTS], Line own, crosslane::FftShare share, bool is_there) {
#if defined(PAIRS)
  if (paired != 0) {
    ExchangePairs(v, share);
    if (is_there) {
      [unroll] for (uint pair = 0; pair < POINTS; pair += 2) {
        const float4 two = float4(v[pair], v[pair + 1]);
        output_pairs[(own.to + PairOf(share, pair)) / 2] = select(params.swap_to != 0, two.yxwz, two) * Scale();
      }
    }
    return;
  }
#endif
  if (is_there) {
    [unroll] for (uint j = 0; j < POINTS; ++j) {
      const uint at = (j << share.thread_bits) + share.thread;
      if (IsPoint(at)) {
        Write(own, at, v[j]);
      }
    }
  }
}

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group_id : SV_GroupID, uint group_index : SV_GroupIndex) {
#if defined(METHOD_SHUFFLE)
  const uint element = crosslane::FindWavePlace(group_index, THREADS).element;
#else
  const uint element = group_index;
#endif
  const uint thread_bits = max(size_bits, crosslane::FftBits<POINTS>::kCount) - crosslane::FftBits<POINTS>::kCount;
  const crosslane::FftShare share = crosslane::FftShare::of(element, thread_bits, beside_bits);
  const uint number = params.first_line + group_id.x * (uint(THREADS) >> thread_bits) + share.transform();
  const Line own = Line::of(number);
  Complex v[POINTS];
  [unroll] for (uint i = 0; i < POINTS; ++i) {
    v[i] = Complex(0, 0);
  }
  ReadAll(v, own, share, number < params.end_line);
  if (params.done_bits != 0) {
    MultiplyByFactors(v, own, share);
  }
  crosslane::GroupFft<Exchanger, Twiddles, REAL, POINTS>::run(v, share);
  WriteAll(v, own, share, number < params.end_line);
}
