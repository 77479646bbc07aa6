// Structs of one to eight members, of members of every kind, one inside another, and one in a namespace.
#ifndef CROSSLANE_TESTS_HLSL_STRUCTS_HLSLI
#define CROSSLANE_TESTS_HLSL_STRUCTS_HLSLI

#include "codec.hlsli"
#include "crosslane/shuffle.hlsli"

#define SHUFFLED_STRUCT(Type, ...)              \
  CROSSLANE_SHUFFLE_STRUCT(Type, __VA_ARGS__)   \
  CODEC_STRUCT(Type, __VA_ARGS__)

struct One {
  uint a;
};
SHUFFLED_STRUCT(One, a)

struct Two {
  float re, im;
};
SHUFFLED_STRUCT(Two, re, im)

struct Three {
  bool a;
  double b;
  int3 c;
};
SHUFFLED_STRUCT(Three, a, b, c)

struct Four {
  Two a;
  float2x3 b;
  uint64_t c;
  One d;
};
SHUFFLED_STRUCT(Four, a, b, c, d)

namespace app {
struct Five {
  uint a, b, c, d, e;
};
}  // namespace app
SHUFFLED_STRUCT(app::Five, a, b, c, d, e)

#if defined(__HLSL_ENABLE_16_BIT)
struct Six {
  float16_t a;
  uint16_t b;
  int16_t3 c;
  float d;
  float16_t4 e;
  bool2 f;
};
SHUFFLED_STRUCT(Six, a, b, c, d, e, f)
#else
struct Six {
  float a;
  uint b;
  int3 c;
  float d;
  float4 e;
  bool2 f;
};
SHUFFLED_STRUCT(Six, a, b, c, d, e, f)
#endif

struct Seven {
  int a;
  int2 b;
  int3 c;
  int4 d;
  bool2x2 e;
  double2 f;
  Three g;
};
SHUFFLED_STRUCT(Seven, a, b, c, d, e, f, g)

struct Eight {
  uint64_t a;
  float b;
  float c;
  int64_t2 d;
  float e;
  uint f;
  app::Five g;
  bool h;
};
SHUFFLED_STRUCT(Eight, a, b, c, d, e, f, g, h)

// `b` is left out: it does not travel and is zero in what comes back.
struct Partly {
  uint a, b, c;
};
CROSSLANE_SHUFFLE_STRUCT(Partly, a, c)
CODEC_STRUCT(Partly, a, b, c)

#endif  // CROSSLANE_TESTS_HLSL_STRUCTS_HLSLI
