// HLSL's own WaveReadLaneAt on a struct, which CROSSLANE_SHUFFLE_STRUCT declares: every lane reads lane 2,
// or the last one of a smaller wave.
#include "codec.hlsli"
#include "structs.hlsli"

struct Constants {
  uint components;
};
PUSH_CONSTANT ConstantBuffer<Constants> constants;

[numthreads(64, 1, 1)]
void main(uint thread : SV_GroupIndex) {
  uint at = thread * constants.components;
  const TYPE value = Codec<TYPE >::load(at);
  at = thread * constants.components;
  Codec<TYPE >::store(at, WaveReadLaneAt(value, min(2u, WaveGetLaneCount() - 1)));
}
