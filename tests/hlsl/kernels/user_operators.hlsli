// Operators of a user's own, as operators.hlsli asks for them: one over a struct, and one that is not commutative.
#ifndef CROSSLANE_TESTS_HLSL_USER_OPERATORS_HLSLI
#define CROSSLANE_TESTS_HLSL_USER_OPERATORS_HLSLI

#include "codec.hlsli"
#include "crosslane/shuffle.hlsli"

// The greatest value and where it is; of equal ones the first.
struct Best {
  float value;
  uint place;
};
CROSSLANE_SHUFFLE_STRUCT(Best, value, place)
CODEC_STRUCT(Best, value, place)

struct ArgMax {
  static Best identity() {
    Best none;
    none.value = asfloat(0xFF800000u);  // -infinity
    none.place = 0xFFFFFFFFu;
    return none;
  }
  static Best combine(Best a, Best b) {
    const bool second = or(b.value > a.value, and(b.value == a.value, b.place < a.place));
    Best best;
    best.value = select(second, b.value, a.value);
    best.place = select(second, b.place, a.place);
    return best;
  }
};

// Products of matrices of integers modulo 2^32, where the order matters.
struct MatrixProduct {
  static uint2x2 identity() { return uint2x2(1, 0, 0, 1); }
  static uint2x2 combine(uint2x2 a, uint2x2 b) {
    uint2x2 product;
    [unroll] for (int row = 0; row < 2; ++row) {
      product[row] = a[row][0] * b[0] + a[row][1] * b[1];
    }
    return product;
  }
};

#endif  // CROSSLANE_TESTS_HLSL_USER_OPERATORS_HLSLI
