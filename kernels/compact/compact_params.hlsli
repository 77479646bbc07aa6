// What the host tells a compaction's dispatch: one declaration for the kernels and for src/algorithms.
#ifndef CROSSLANE_COMPACT_PARAMS_HLSLI
#define CROSSLANE_COMPACT_PARAMS_HLSLI

#include "../tiles/tiled_part.hlsli"

// Threads per group, and 16-byte loads in flight per thread; even, since the counts of two rows share a word.
#define CROSSLANE_COMPACT_THREADS 256
#define CROSSLANE_COMPACT_ROWS 4
// An output may be larger than one binding shows: so many windows, of 2^window_shift elements each, show it.
#define CROSSLANE_COMPACT_WINDOWS 8

#ifdef __cplusplus
#include <array>
namespace crosslane::kernel_interface {
using uint4 = std::array<uint, 4>;
#endif

struct CompactParams {
  uint4 selection_low;   // what the selection goes by (selection.hlsli)
  uint4 selection_high;
  TiledPart part;
  uint input_first;      // element number of position 0 in the binding
  uint flags_first;      // the same of the flags, modulo 2^32: position 0 may lie before the binding
  uint flags_vectors;    // 1: the flags of 16 bytes of elements lie at a multiple of their size
  uint kept_first;       // element number of the outputs' beginnings in their first windows
  uint rejected_first;
  uint window_shift;
  uint partition;        // 1: what is not kept is an output too
  uint count_element;    // where in `count_out`
  uint arguments_first;  // where in `arguments`
  uint per_group;        // elements that each group of the next dispatch takes; 0: no arguments are asked for
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_COMPACT_PARAMS_HLSLI
