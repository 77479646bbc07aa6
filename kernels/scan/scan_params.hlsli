// What the host tells a scan's dispatch: one declaration for the kernels and for src/algorithms.
#ifndef CROSSLANE_SCAN_PARAMS_HLSLI
#define CROSSLANE_SCAN_PARAMS_HLSLI

#include "../tiles/tiled_part.hlsli"

// Threads per group, and 16-byte loads in flight per thread. A tile is what one group scans.
#define CROSSLANE_SCAN_THREADS 256
#define CROSSLANE_SCAN_ROWS 8

#ifdef __cplusplus
namespace crosslane::kernel_interface {
#endif

struct ScanParams {
  TiledPart part;
  uint input_first;     // element number of position 0 in the binding
  uint output_first;    // modulo 2^32: position 0 may lie before the binding
  uint output_vectors;  // 1: position 0 lies at a multiple of 16 bytes in the output too
  uint exclusive;
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_SCAN_PARAMS_HLSLI
