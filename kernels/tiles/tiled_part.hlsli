// What the host tells every dispatch that goes over arrays by tiles: one declaration for the kernels and for
// src/algorithms.
#ifndef CROSSLANE_TILED_PART_HLSLI
#define CROSSLANE_TILED_PART_HLSLI

// Tiles that the state has room for: as many groups as Direct3D 12 dispatches in one dimension.
#define CROSSLANE_MAX_TILES 65535

// What a dispatch does.
#define CROSSLANE_PASS_SINGLE 0  // everything, with look-back
#define CROSSLANE_PASS_REDUCE 1  // the tiles' totals
#define CROSSLANE_PASS_TOTALS 2  // the totals' scan, by one group
#define CROSSLANE_PASS_TILES 3   // the tiles, from the scanned totals

#include "../array_count.hlsli"

#ifdef __cplusplus
namespace crosslane::kernel_interface {
#endif

// Elements have positions; position 0 lies at a multiple of 16 bytes in the first array. This dispatch's part of the
// arrays are the positions from `begin` to `end`.
struct TiledPart {
  ArrayCount count;
  uint begin;
  uint end;            // where the array's number of elements does not end it before
  uint pass;           // CROSSLANE_PASS_…
  uint groups;         // thread groups of this dispatch
  uint tickets;        // 1: groups take their tiles as they begin, which may be in any order
  uint carried;        // dispatches before this one of the same work
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_TILED_PART_HLSLI
