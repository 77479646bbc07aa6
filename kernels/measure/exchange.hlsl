// A chain of steps each of which needs the result of the one before: an exchange with a neighbouring lane or thread and
// an addition, or a part of that, or an 8-point Fourier transform. How long a step takes is its latency.
//
// A variant defines EXCHANGE_ and the kind of step, and CLOCK where the shader reads the clock of its processor. The
// host sets the number of threads of a group.
#include "exchange_params.hlsli"

#include "crosslane/shuffle.hlsli"
#if defined(EXCHANGE_FFT_GROUPSHARED) || defined(EXCHANGE_FFT_SHUFFLE)
#define EXCHANGE_FFT
#include "crosslane/group/fft.hlsli"
#include "crosslane/group/scratch.hlsli"
#endif

[[vk::push_constant]] ConstantBuffer<ExchangeParams> params : register(b0);
[[vk::binding(0)]] RWStructuredBuffer<uint4> output : register(u0);  // of each thread of the first group
[[vk::binding(1)]] RWStructuredBuffer<uint> ticks : register(u1);    // of each group
[[vk::binding(2)]] StructuredBuffer<float2> factors : register(t0);  // of the Fourier transform

#if defined(EXCHANGE_FFT)

static const uint kPoints = 2;  // of each thread
CROSSLANE_GROUP_SCRATCH(Scratch, float2, CROSSLANE_EXCHANGE_MOST_THREADS * kPoints)
struct Twiddles {
  static float2 load(uint index) { return factors[index]; }
};
#if defined(EXCHANGE_FFT_SHUFFLE)
typedef crosslane::FftExchangeByShuffle<float, kPoints> Exchanger;
#else
typedef crosslane::FftExchangeByGroupshared<float, kPoints, Scratch, float2> Exchanger;
#endif

struct Chain {
  float2 v[kPoints];
  crosslane::FftShare share;

  void begin(uint thread) {
    share = crosslane::FftShare::of(thread, 2, 0);
    [unroll] for (uint j = 0; j < kPoints; ++j) {
      v[j] = float2(share.thread + 4 * j, 1);
    }
  }
  void step() {
    crosslane::GroupFft<Exchanger, Twiddles, float, kPoints>::run(v, share);
    [unroll] for (uint j = 0; j < kPoints; ++j) {
      v[j] *= 0.35355339059327376f;  // 1 / sqrt(8), so that nothing grows
    }
#if defined(EXCHANGE_FFT_GROUPSHARED)
    GroupMemoryBarrierWithGroupSync();  // before the next one stores where this one has loaded
#endif
  }
  uint4 result() { return uint4(asuint(v[0]), asuint(v[1])); }
};

#else

groupshared uint shared_values[CROSSLANE_EXCHANGE_MOST_THREADS];

struct Chain {
  uint v;
  uint own;
  uint next;  // thread
  int lane;   // the next one, as a number that nobody knows beforehand

  void begin(uint thread) {
    own = thread;
    next = (thread + 1) & (params.threads - 1);
    lane = int(WaveGetLaneIndex()) + 1;
#if defined(EXCHANGE_GROUPSHARED) || defined(EXCHANGE_LOAD)
    v = thread;
#else
    v = WaveGetLaneIndex();
#endif
#if defined(EXCHANGE_LOAD)
    shared_values[own] = next;
    GroupMemoryBarrierWithGroupSync();
#endif
  }
  void step() {
#if defined(EXCHANGE_NONE)
    v = (v ^ own) + 1;  // which no compiler adds up beforehand
#elif defined(EXCHANGE_UP)
    v = WaveShuffleUp<1>(v) + 1;
#elif defined(EXCHANGE_DOWN)
    v = WaveShuffleDown<1>(v) + 1;
#elif defined(EXCHANGE_XOR)
    v = WaveShuffleXor(v, 1) + 1;
#elif defined(EXCHANGE_INDEX)
    v = WaveShuffle(v, lane) + 1;
#elif defined(EXCHANGE_ROTATE)
    v = WaveRotate(v, 1) + 1;
#elif defined(EXCHANGE_GROUPSHARED)
    shared_values[own] = v;
    GroupMemoryBarrierWithGroupSync();
    v = shared_values[next] + 1;
    GroupMemoryBarrierWithGroupSync();
#elif defined(EXCHANGE_BARRIER)
    GroupMemoryBarrierWithGroupSync();
    v = (v ^ own) + 1;
#elif defined(EXCHANGE_LOAD)
    v = shared_values[v];
#endif
  }
  uint4 result() { return uint4(v, WaveGetLaneIndex(), own, 0); }
};

#endif

CROSSLANE_WAVE_SIZE_ATTRIBUTE
[numthreads(64, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
  Chain chain;
  chain.begin(thread);
#if defined(CLOCK)
  const uint64_t before = vk::ReadClock(vk::SubgroupScope);
#endif
  for (uint round = 0; round < params.rounds; ++round) {
    [unroll] for (uint i = 0; i < CROSSLANE_EXCHANGE_UNROLLED; ++i) {
      chain.step();
    }
  }
#if defined(CLOCK)
  const uint64_t after = vk::ReadClock(vk::SubgroupScope);
  if (thread == 0) {
    ticks[group.x] = uint(after - before);
  }
#endif
  // Other groups write as well, somewhere, so that nothing of them is left out.
  output[min(group.x, 1u) * params.threads + thread] = chain.result();
}
