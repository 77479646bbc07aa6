// What host and shader agree on for moving arrays as fast as the device can (stream.hlsl).
#ifndef CROSSLANE_MEASURE_STREAM_PARAMS_HLSLI
#define CROSSLANE_MEASURE_STREAM_PARAMS_HLSLI

#define CROSSLANE_STREAM_THREADS 256
#define CROSSLANE_STREAM_LOADS 8

#ifdef __cplusplus
#include <cstdint>
namespace crosslane::kernel_interface {
using uint = std::uint32_t;
#endif

struct StreamParams {
  uint vectors;  // of 16 bytes that are read
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_MEASURE_STREAM_PARAMS_HLSLI
