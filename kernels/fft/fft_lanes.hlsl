// Fourier transforms of few points, any number that is a product of factors below 16, one point per lane: in each stage, a factor each, a
// lane gets the points that its own is made of by one shuffle each, and adds them up by the definition.
//
// A line of n points takes the next power of two of threads, line_threads, so that it lies in one wave wherever that has as many
// lanes; on devices whose waves turn out smaller the points go through groupshared memory. With D the product of the radices before, point p of
// radix r's results is made of points b + j * n / r, where b = p / (D r) * D + p % D, times exp(-2 pi i j (p % (D r)) / (D r)).
#include "crosslane/group/scratch.hlsli"
#include "crosslane/lane.hlsli"
#include "crosslane/shuffle.hlsli"
#include "line.hlsli"

[[vk::constant_id(CROSSLANE_FFT_POINTS)]] const uint points = 3;
[[vk::constant_id(CROSSLANE_FFT_LINE_THREADS)]] const uint line_threads = 4;
[[vk::constant_id(CROSSLANE_FFT_RADICES)]] const uint radices = 0x3;

CROSSLANE_GROUP_SCRATCH(Scratch, Complex, THREADS)

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group_id : SV_GroupID, uint group_index : SV_GroupIndex) {
  const uint element = crosslane::FindWavePlace(group_index, THREADS).element;
  const uint place = element % line_threads;
  const uint first = element - place;
  const uint first_lane = WaveGetLaneIndex() - place;
  const bool by_shuffles = line_threads <= WaveGetLaneCount();
  const uint number = params.first_line + (group_id.x * uint(THREADS) + element) / line_threads;
  const bool is_there = place < points && number < params.end_line;
  const Line own = Line::of(number, points);
  const uint point_number = min(place, points - 1);  // lanes without a point do as the last one
  Complex v = Complex(0, 0);
  if (is_there) {
    v = own.read(place);
  }
  uint done = 1;
  for (uint left = radices; left != 0; left >>= 4) {
    const uint radix = left & 15;
    const uint behind = done * radix;
    const uint low = point_number % behind;
    const uint from = point_number / behind * done + low % done;
    if (!by_shuffles) {
      GroupMemoryBarrierWithGroupSync();  // what was read before has been
      Scratch::store(element, v);
      GroupMemoryBarrierWithGroupSync();
    }
    Complex sum = Complex(0, 0);
    for (uint j = 0; j < radix; ++j) {
      const uint source = from + j * (points / radix);
      Complex x;
      if (by_shuffles) {
        x = WaveShuffle(v, int(first_lane + source));
      } else {
        x = Scratch::load(first + source);
      }
      const Complex root = table[params.roots + j * low % behind * (points / behind)];
      sum += crosslane::ComplexMultiply<REAL>(x, root);
    }
    v = sum;
    done = behind;
  }
  if (is_there) {
    own.write(place, v);
  }
}
