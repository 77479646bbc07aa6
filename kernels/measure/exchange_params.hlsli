// What host and shader agree on for chains of exchanges between neighbours (exchange.hlsl).
#ifndef CROSSLANE_MEASURE_EXCHANGE_PARAMS_HLSLI
#define CROSSLANE_MEASURE_EXCHANGE_PARAMS_HLSLI

#define CROSSLANE_EXCHANGE_MOST_THREADS 1024
// Odd, so that three rounds are no whole number of turns round a wave: wrong exchanges show.
#define CROSSLANE_EXCHANGE_UNROLLED 7

#ifdef __cplusplus
#include <cstdint>
namespace crosslane::kernel_interface {
using uint = std::uint32_t;
#endif

struct ExchangeParams {
  uint rounds;   // of CROSSLANE_EXCHANGE_UNROLLED steps each
  uint threads;  // of a group, a power of two
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_MEASURE_EXCHANGE_PARAMS_HLSLI
