// The images of a blur, and what lies beyond their borders.
#ifndef CROSSLANE_KERNELS_BLUR_IMAGE_HLSLI
#define CROSSLANE_KERNELS_BLUR_IMAGE_HLSLI

#include "format.hlsli"

[[vk::constant_id(CROSSLANE_BLUR_SPEC_BORDER)]] const uint border = CROSSLANE_BLUR_CLAMP;
[[vk::constant_id(CROSSLANE_BLUR_SPEC_FROM_VECTORS)]] const uint from_vectors = 0;
[[vk::constant_id(CROSSLANE_BLUR_SPEC_TO_VECTORS)]] const uint to_vectors = 0;

[[vk::push_constant]] ConstantBuffer<BlurParams> params : register(b0);
// The same memory as words and as what a thread holds of a row. Three words are no vector that memory likes.
[[vk::binding(0)]] StructuredBuffer<uint> from_words : register(t0);
[[vk::binding(1)]] StructuredBuffer<Words> from_threads : register(t1);
[[vk::binding(2)]] RWStructuredBuffer<uint> to_words : register(u0);
[[vk::binding(3)]] RWStructuredBuffer<Words> to_threads : register(u1);

static const int kNowhere = -1;

// Of a number that may be negative: Vulkan leaves it open what the remainder of such a one is, and drivers differ.
int Modulo(int a, int b) {
  const uint rest = uint(select(a < 0, ~a, a)) % uint(b);
  return select(a < 0, b - 1 - int(rest), int(rest));
}

// Where in 0 to size - 1 the value for `place` comes from; kNowhere beyond a constant border. The border is known when the
// pipeline is made, so that one of the selects is left.
int Inside(int place, int size) {
  const int twice = Modulo(place, 2 * size);
  const int period = max(2 * size - 2, 1);
  const int turned = Modulo(place, period);
  int found = select(and(place >= 0, place < size), place, kNowhere);
  found = select(border == CROSSLANE_BLUR_CLAMP, clamp(place, 0, size - 1), found);
  found = select(border == CROSSLANE_BLUR_WRAP, Modulo(place, size), found);
  found = select(border == CROSSLANE_BLUR_REFLECT, min(twice, 2 * size - 1 - twice), found);
  return select(border == CROSSLANE_BLUR_MIRROR, min(turned, period - turned), found);
}

// Pixels are taken by units, whole words or parts of one.
static const uint kUnitBits = kChannels * kBits % 32 == 0 ? 32 : kBits;
static const uint kUnits = kChannels * kBits / kUnitBits;  // of a pixel
static const uint kUnitMask = 0xFFFFFFFFu >> (32 - kUnitBits);

// Unit `unit` of a pixel beyond a constant border.
uint BorderUnit(uint unit) {
  uint v = 0;
  [unroll] for (uint k = 0; k < kUnitBits / kBits; ++k) {
    const float channel = params.border[unit * (kUnitBits / kBits) + k];
    v |= (Format::kUnorm != 0 ? uint(channel) : kBits == 16 ? f32tof16(channel) : asuint(channel)) << (k * kBits % 32);
  }
  return v;
}

// Unit `unit` of the pixel at x, which may be kNowhere, in a row that begins at a word.
uint ReadUnit(uint row, int x, uint unit) {
  const uint per_word = 32 / kUnitBits;
  const uint number = uint(max(x, 0)) * kUnits + unit;
  const uint word = from_words[row + number / per_word];
  return select(x < 0, BorderUnit(unit), (word >> (number % per_word * kUnitBits)) & kUnitMask);
}

Words BorderPixels() {
  Words words = (Words)0;
  [unroll] for (uint i = 0; i < kPixels * kUnits; ++i) {
    words[i * kUnitBits / 32] |= BorderUnit(i % kUnits) << (i * kUnitBits % 32);
  }
  return words;
}

// The pixels that thread `thread` of a row of groups has of Count rows from `y` on; all of them may lie beyond the image. The
// rows together, so that they are on their way at the same time.
template <uint Count> void ReadPixels(int y, int thread, out Words words[Count]) {
  const int height = int(params.height);
  int rows[Count];
  [unroll] for (uint r = 0; r < Count; ++r) {
    rows[r] = y + int(r);
  }
  if (y < 0 || y + int(Count) > height) {
    [unroll] for (uint r = 0; r < Count; ++r) {
      rows[r] = Inside(rows[r], height);
    }
  }
  uint places[Count];
  [unroll] for (uint p = 0; p < Count; ++p) {
    places[p] = params.from.first + uint(max(rows[p], 0)) * params.from.pitch;
  }
  const int x = thread * int(kPixels);
  if (x >= 0 && x + int(kPixels) <= int(params.width)) {
    if (from_vectors != 0) {
      [unroll] for (uint r = 0; r < Count; ++r) {
        words[r] = from_threads[places[r] / kWords + uint(thread)];
      }
    } else {
      [unroll] for (uint r = 0; r < Count; ++r) {
        [unroll] for (uint w = 0; w < kWords; ++w) {
          words[r][w] = from_words[places[r] + uint(thread) * kWords + w];
        }
      }
    }
  } else {
    [unroll] for (uint r = 0; r < Count; ++r) {
      words[r] = (Words)0;
    }
    [unroll] for (uint i = 0; i < kPixels; ++i) {
      const int source = Inside(x + int(i), int(params.width));
      [unroll] for (uint r = 0; r < Count; ++r) {
        [unroll] for (uint unit = 0; unit < kUnits; ++unit) {
          const uint bit = (i * kUnits + unit) * kUnitBits;
          words[r][bit / 32] |= ReadUnit(places[r], source, unit) << (bit % 32);
        }
      }
    }
  }
  if (border == CROSSLANE_BLUR_CONSTANT) {
    const Words beyond = BorderPixels();
    [unroll] for (uint r = 0; r < Count; ++r) {
      words[r] = select(rows[r] < 0, beyond, words[r]);
    }
  }
}

// Writes those that lie in the image. What shares a word with a row's last pixels stays as it is.
void WritePixels(int y, int thread, Words words) {
  const uint place = params.to.first + uint(y) * params.to.pitch + uint(thread) * kWords;
  const int left = int(params.width) - thread * int(kPixels);  // pixels up to the row's end
  if (left >= int(kPixels)) {
    if (to_vectors != 0) {
      to_threads[place / kWords] = words;
      return;
    }
    [unroll] for (uint w = 0; w < kWords; ++w) {
      to_words[place + w] = words[w];
    }
    return;
  }
  const uint bits = uint(max(left, 0)) * kChannels * kBits;
  [unroll] for (uint w = 0; w < kWords; ++w) {
    if (bits >= (w + 1) * 32) {
      to_words[place + w] = words[w];
    } else if (bits > w * 32) {
      const uint mask = (1u << (bits % 32)) - 1;
      to_words[place + w] = (to_words[place + w] & ~mask) | (words[w] & mask);
    }
  }
}

#endif  // CROSSLANE_KERNELS_BLUR_IMAGE_HLSLI
