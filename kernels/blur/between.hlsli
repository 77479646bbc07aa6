// What two passes leave in between: rows of blurred pixels as floats. In each row come the first pixels of all threads,
// then the second ones and so on, so that neighbouring threads write beside each other.
#ifndef CROSSLANE_KERNELS_BLUR_BETWEEN_HLSLI
#define CROSSLANE_KERNELS_BLUR_BETWEEN_HLSLI

#include "format.hlsli"

static const uint kStored = CROSSLANE_BLUR_STORED(Format::kChannels);
typedef vector<float, kStored> Stored;

[[vk::binding(5)]] RWStructuredBuffer<Stored> between : register(u2);

// `row` counts from the first that was left.
uint PlaceBetween(uint row, uint pixel, uint thread) { return (row * kPixels + pixel) * params.threads + thread; }

Pixel ReadBetween(uint row, uint pixel, uint thread) {
  const Stored stored = between[PlaceBetween(row, pixel, thread)];
  Pixel v;
  [unroll] for (uint c = 0; c < kChannels; ++c) {
    v[c] = stored[c];
  }
  return v;
}

void WriteBetween(uint row, uint pixel, uint thread, Pixel v) {
  Stored stored = (Stored)0;
  [unroll] for (uint c = 0; c < kChannels; ++c) {
    stored[c] = v[c];
  }
  between[PlaceBetween(row, pixel, thread)] = stored;
}

#endif  // CROSSLANE_KERNELS_BLUR_BETWEEN_HLSLI
