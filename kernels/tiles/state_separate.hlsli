// What tiles tell each other on devices without 64-bit atomics: the tag is a word of its own, released after the value that
// it speaks of and acquired before. A tile's total and its inclusive result have places of their own, so that neither changes while it is read.
#ifndef CROSSLANE_KERNELS_TILES_STATE_SEPARATE_HLSLI
#define CROSSLANE_KERNELS_TILES_STATE_SEPARATE_HLSLI

// [tile]: epoch and status.
[[vk::binding(5)]] globallycoherent RWStructuredBuffer<uint> words : register(u3);
// [tile]: totals; then as many inclusive results; then the carry between dispatches.
[[vk::binding(6)]] globallycoherent RWStructuredBuffer<VALUE> values : register(u4);

#define CARRY_PLACE (2 * CROSSLANE_MAX_TILES)

uint PlaceOf(uint tile, uint tag) {
  return (tag & STATUS_MASK) == STATUS_INCLUSIVE ? CROSSLANE_MAX_TILES + tile : tile;
}

void Publish(uint tile, uint tag, VALUE value) {
  values[PlaceOf(tile, tag)] = value;
  CROSSLANE_RELEASE_STORE32(words[tile], tag);
}

uint Look(uint tile, out VALUE value) {
  uint tag;
  CROSSLANE_ACQUIRE_LOAD32(words[tile], tag);
  value = values[PlaceOf(tile, tag)];
  return tag;
}

#endif  // CROSSLANE_KERNELS_TILES_STATE_SEPARATE_HLSLI
