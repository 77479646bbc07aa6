// The first of two passes: blurs the rows from `begin` - radius to `end` + radius, those beyond the borders too.
//
// A variant defines FORMAT, MOST_RADIUS, and METHOD_GROUPSHARED or METHOD_SHUFFLE.
#include "crosslane/wave_size.hlsli"

#include "row.hlsli"
#include "between.hlsli"

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint group_index : SV_GroupIndex) {
  Neighbours neighbours = Neighbours::of(group_index);
  const int thread = int(group.x * THREADS + neighbours.thread);
  if (!neighbours.is_needed(thread)) {
    return;
  }
  const int first = int(params.begin) - int(radius);
  const int begin = first + int(group.y * params.rows);
  const int end = min(begin + int(params.rows), int(params.end + radius));
  const int beyond = neighbours.beyond();
  [loop] for (int y = begin; y < end; ++y) {
    RowParts<1> part;
    part.clear();
    part.read(y, thread, beyond);
    Pixel sums[kPixels];
    BlurRow(sums, neighbours, part.own[0], part.further[0], y, thread);
    [unroll] for (uint j = 0; j < kPixels; ++j) {
      WriteBetween(uint(y - first), j, uint(thread), sums[j]);
    }
  }
}
