// What the host tells a compaction's dispatch: one declaration for the kernels and for src/algorithms.
#ifndef CROSSLANE_COMPACT_PARAMS_HLSLI
#define CROSSLANE_COMPACT_PARAMS_HLSLI

#include "../tiles/tiled_part.hlsli"

// Threads per group, and rows of a tile: elements that a thread holds, no more than a word has bits. 80 bytes of them leave
// registers for three groups at a time on an NVIDIA H200.
#define CROSSLANE_COMPACT_THREADS 512
#define CROSSLANE_COMPACT_ROWS(element_bytes) (80 / (element_bytes))
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
