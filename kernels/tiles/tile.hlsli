// How a group's tile lies in the array, and where the array ends.
//
// A kernel defines THREADS, ROWS and VECTOR, how many elements lanes load at once, and has `params.part`, a TiledPart. It may
// define ROW_LANES.
#ifndef CROSSLANE_KERNELS_TILES_TILE_HLSLI
#define CROSSLANE_KERNELS_TILES_TILE_HLSLI

#define TILE (THREADS * ROWS * VECTOR)
#if !defined(ROW_LANES)
#define ROW_LANES RowScanner::lanes()
#endif

// How many elements the whole array has, 64 bits, where the host does not know.
[[vk::binding(7)]] StructuredBuffer<uint2> counts : register(t2);

// Where this dispatch's part of the array ends.
uint End() {
  const TiledPart part = params.part;
  if (part.count.indirect == 0) {
    return part.end;
  }
  return part.begin + CountHere(part.count, counts[part.count.element], part.end - part.begin);
}

// Tiles up to `end`; one for an empty array.
uint TilesBefore(uint end) { return max((end + TILE - 1) / TILE, 1u); }

// The first of the VECTOR elements that a thread has in a row of its tile. A row is what lanes hold side by side; the rows
// of a wave follow each other, and the waves.
uint PositionOf(uint tile, uint thread, uint row) {
  const uint lanes = ROW_LANES;
  return tile * TILE + ((thread / lanes * ROWS + row) * lanes + thread % lanes) * VECTOR;
}

// The first position of the tile that belongs to the part.
uint TileBegin(uint tile) { return max(tile * TILE, params.part.begin); }

// Whether all of the tile belongs to the part.
bool IsWhole(uint tile, uint end) { return tile * TILE >= params.part.begin && end / TILE > tile; }

bool IsInside(uint position, uint end) { return position >= params.part.begin && position < end; }

#endif  // CROSSLANE_KERNELS_TILES_TILE_HLSLI
