// Lines of any number of points, and the points of transforms: for kernels with FftLineParams.
#ifndef CROSSLANE_KERNELS_FFT_LINE_HLSLI
#define CROSSLANE_KERNELS_FFT_LINE_HLSLI

#define PARAMS FftLineParams
#include "numbers.hlsli"

// Point k of the transform whose point 0 is element `first` of the input. The points that half of a spectrum lacks are the
// conjugates of those that it has; what it has as imaginary parts of real points does not count.
Complex ReadPoint(uint first, uint k) {
  if (from_numbers != CROSSLANE_FFT_HALF_SPECTRUM) {
    return ReadNumber(first + k * params.from.stride);
  }
  const uint mirrored = params.points - k;
  Complex v = ReadNumber(first + min(k, mirrored) * params.from.stride);
  if (k == 0 || k == mirrored) {
    v.y = 0;
  } else if (mirrored < k) {
    v.y = -v.y;
  }
  return v;
}

void WritePoint(uint first, uint k, Complex v) {
  v *= Scale();
  if (to_numbers == CROSSLANE_FFT_HALF_SPECTRUM) {
    if (k > params.points / 2) {
      return;
    }
    if (k == 0) {
      v.y = 0;  // a sum of real numbers
    }
  }
  WriteNumber(first + k * params.to.stride, v);
}

// A line, and where its points lie.
struct Line {
  uint from;   // where its transform's point 0 lies
  uint to;
  uint unit;   // its number among the transform's lines
  uint done;   // the part of it that is a number of points transformed before
  uint above;  // the number among the results of its point 0

  static Line of(uint number, uint points) {
    const uint transform = number / params.units;
    Line made;
    made.from = FirstOf(params.from, transform);
    made.to = FirstOf(params.to, transform);
    made.unit = number % params.units;
    made.done = made.unit % params.done;
    made.above = (made.unit - made.done) * points + made.done;
    return made;
  }

  Complex read(uint at) {
    const Complex v = ReadPoint(from, unit + at * params.units);
    return select(params.swap_from != 0, v.yx, v);
  }

  void write(uint at, Complex v) {
    WritePoint(to, above + at * params.done, select(params.swap_to != 0, v.yx, v));
  }
};

#endif  // CROSSLANE_KERNELS_FFT_LINE_HLSLI
