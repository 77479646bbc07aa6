// What the host tells a scan's dispatch: one declaration for the kernels and for src/algorithms.
#ifndef CROSSLANE_SCAN_PARAMS_HLSLI
#define CROSSLANE_SCAN_PARAMS_HLSLI

// Threads per group, and 16-byte loads in flight per thread. A tile is what one group scans.
#define CROSSLANE_SCAN_THREADS 256
#define CROSSLANE_SCAN_ROWS 8
// Tiles that the state has room for: as many groups as Direct3D 12 dispatches in one dimension.
#define CROSSLANE_SCAN_MAX_TILES 65535

// What a dispatch does.
#define CROSSLANE_SCAN_SINGLE_PASS 0  // everything, with look-back
#define CROSSLANE_SCAN_REDUCE 1       // the tiles' totals
#define CROSSLANE_SCAN_TOTALS 2       // the totals' scan, by one group
#define CROSSLANE_SCAN_TILES 3        // the tiles' scans, from the scanned totals

#ifdef __cplusplus
#include <cstdint>
namespace crosslane::kernel_interface {
using uint = std::uint32_t;
#endif

// Elements have positions; position 0 lies at a multiple of 16 bytes wherever the arrays allow. The array of this
// dispatch are the positions from `begin` to `end`.
struct ScanParams {
  uint input_first;    // element number of position 0 in the binding
  uint output_first;
  uint input_vector;   // the same as numbers of 16-byte vectors
  uint output_vector;
  uint vectors;        // 1: position 0 lies at a multiple of 16 bytes in both arrays
  uint begin;
  uint end;
  uint exclusive;
  uint pass;           // CROSSLANE_SCAN_…
  uint groups;         // thread groups of this dispatch
  uint tickets;        // 1: groups take their tiles as they begin, since not all may run at once
  uint carry_in;       // 1: combine with what the dispatch before left in the state
  uint indirect;       // 1: the array ends where `counts` says, or at `end`
  uint count_element;  // where in `counts`
  uint done_low;       // elements of the dispatches before, 64 bits
  uint done_high;
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_SCAN_PARAMS_HLSLI
