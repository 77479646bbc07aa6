// The second of two passes: blurs columns. A thread makes kColumnRows rows at a time, and adds each row that it reads to those
// of them that it counts for.
//
// A variant defines FORMAT.
#include "crosslane/wave_size.hlsli"

#include "image.hlsli"
#include "between.hlsli"
#include "weights.hlsli"

static const uint kRows = Format::kColumnRows;

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 thread : SV_DispatchThreadID) {
  if (thread.x * kPixels >= params.width) {
    return;
  }
  const uint begin = thread.y * kRows;  // counted from params.begin
  const uint end = min(begin + kRows, params.end - params.begin);
  Pixel sums[kRows][kPixels];
  [unroll] for (uint r = 0; r < kRows; ++r) {
    [unroll] for (uint j = 0; j < kPixels; ++j) {
      sums[r][j] = (Pixel)SumsBegin();
    }
  }
  [loop] for (uint row = begin; row < end + 2 * radius; ++row) {
    Pixel v[kPixels];
    [unroll] for (uint j = 0; j < kPixels; ++j) {
      v[j] = ReadBetween(row, j, thread.x);
    }
    [unroll] for (uint r = 0; r < kRows; ++r) {
      const uint age = row - begin - r;  // huge where the row comes before those that count
      if (age <= 2 * radius) {
        [unroll] for (uint j = 0; j < kPixels; ++j) {
          sums[r][j] += WeightOfAge(age) * v[j];
        }
      }
    }
  }
  [unroll] for (uint r = 0; r < kRows; ++r) {
    if (begin + r < end) {
      WritePixels(int(params.begin + begin + r), int(thread.x), Pack(sums[r]));
    }
  }
}
