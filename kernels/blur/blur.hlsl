// Blurs rows and columns in one pass. A thread goes down its columns: it blurs row after row along x, with its neighbours'
// pixels, and keeps the last 2 * radius + 1 of them in registers, which it blurs along y.
//
// A variant defines FORMAT; MOST_RADIUS, the largest radius that its registers suit; and METHOD_GROUPSHARED or METHOD_SHUFFLE.
#include "crosslane/wave_size.hlsli"

#include "row.hlsli"

static const uint kStep = Format::kStep;
static const uint kKept = 2 * MOST_RADIUS;

struct Window {
  Pixel rows[kKept + kStep][kPixels];  // the newest last

  // The blurred pixels of the row that lies `radius` rows before row `number` of the newest kStep.
  void blur(uint number, out Pixel sums[kPixels]) {
    [unroll] for (uint j = 0; j < kPixels; ++j) {
      sums[j] = (Pixel)SumsBegin();
      [unroll] for (uint age = 0; age <= kKept; ++age) {
        sums[j] = select(age <= 2 * radius, sums[j] + WeightOfAge(age) * rows[kKept + number - age][j], sums[j]);
      }
    }
  }

  // Makes room for kStep rows.
  void move() {
    [unroll] for (uint i = 0; i < kKept; ++i) {
      rows[i] = rows[i + kStep];
    }
  }
};

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint group_index : SV_GroupIndex) {
  Neighbours neighbours = Neighbours::of(group_index);
  const int thread = int(group.x * THREADS + neighbours.thread);
  if (!neighbours.is_needed(thread)) {
    return;
  }
  const int reach = int(radius);
  const int begin = int(params.begin + group.y * params.rows);
  const int end = min(begin + int(params.rows), int(params.end));
  const int beyond = neighbours.beyond();
  Window window;
  [unroll] for (uint i = 0; i < kKept + kStep; ++i) {
    [unroll] for (uint j = 0; j < kPixels; ++j) {
      window.rows[i][j] = (Pixel)0;
    }
  }
  RowParts<kStep> parts;
  parts.clear();
  // Step by step from the first row that counts. The rows of the next step are on their way while columns are blurred.
  [loop] for (int y = begin - reach - int(kStep); y < end + reach; y += int(kStep)) {
    if (y >= begin - reach) {
      [unroll] for (uint b = 0; b < kStep; ++b) {
        BlurRow(window.rows[kKept + b], neighbours, parts.own[b], parts.further[b], y + int(b), thread);
      }
    }
    if (y + int(kStep) < end + reach) {
      parts.read(y + int(kStep), thread, beyond);
    }
    [unroll] for (uint c = 0; c < kStep; ++c) {
      const int row = y + int(c) - reach;
      if (row >= begin && row < end) {
        Pixel sums[kPixels];
        window.blur(c, sums);
        WritePixels(row, thread, Pack(sums));
      }
    }
    window.move();
  }
}
