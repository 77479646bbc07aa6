// GLSL.std.450's transcendental functions, as the C library computes them: 32- and 64-bit ones within about one unit in
// the last place, far inside of what Vulkan allows. Halves are computed in 32 bits and rounded.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_glsl_transcendental.cpp"
#include <cmath>
#include <numbers>

#include <spirv/unified1/GLSL.std.450.h>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/glsl_handlers.hpp"
#include "machine/lane_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

struct Radians {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return a * static_cast<T>(std::numbers::pi / 180);
  }
};
struct Degrees {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return a * static_cast<T>(180 / std::numbers::pi);
  }
};
struct Sine {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::sin(a);
  }
};
struct Cosine {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::cos(a);
  }
};
struct Tangent {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::tan(a);
  }
};
struct ArcSine {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::asin(a);
  }
};
struct ArcCosine {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::acos(a);
  }
};
struct ArcTangent {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::atan(a);
  }
};
struct ArcTangent2 {
  template <typename T>
  HWY_INLINE T operator()(T y, T x) const {
    return std::atan2(y, x);
  }
};
struct HyperbolicSine {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::sinh(a);
  }
};
struct HyperbolicCosine {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::cosh(a);
  }
};
struct HyperbolicTangent {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::tanh(a);
  }
};
struct AreaSine {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::asinh(a);
  }
};
struct AreaCosine {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::acosh(a);
  }
};
struct AreaTangent {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::atanh(a);
  }
};
struct Power {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return std::pow(a, b);
  }
};
struct Exponential {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::exp(a);
  }
};
struct Exponential2 {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::exp2(a);
  }
};
struct Logarithm {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::log(a);
  }
};
struct Logarithm2 {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::log2(a);
  }
};

}  // namespace

Handler transcendental_handler(std::uint32_t instruction, Element element) {
  switch (instruction) {
    case GLSLstd450Radians:
      return float1<Radians>(element);
    case GLSLstd450Degrees:
      return float1<Degrees>(element);
    case GLSLstd450Sin:
      return float1<Sine>(element);
    case GLSLstd450Cos:
      return float1<Cosine>(element);
    case GLSLstd450Tan:
      return float1<Tangent>(element);
    case GLSLstd450Asin:
      return float1<ArcSine>(element);
    case GLSLstd450Acos:
      return float1<ArcCosine>(element);
    case GLSLstd450Atan:
      return float1<ArcTangent>(element);
    case GLSLstd450Atan2:
      return float2<ArcTangent2>(element);
    case GLSLstd450Sinh:
      return float1<HyperbolicSine>(element);
    case GLSLstd450Cosh:
      return float1<HyperbolicCosine>(element);
    case GLSLstd450Tanh:
      return float1<HyperbolicTangent>(element);
    case GLSLstd450Asinh:
      return float1<AreaSine>(element);
    case GLSLstd450Acosh:
      return float1<AreaCosine>(element);
    case GLSLstd450Atanh:
      return float1<AreaTangent>(element);
    case GLSLstd450Pow:
      return float2<Power>(element);
    case GLSLstd450Exp:
      return float1<Exponential>(element);
    case GLSLstd450Exp2:
      return float1<Exponential2>(element);
    case GLSLstd450Log:
      return float1<Logarithm>(element);
    case GLSLstd450Log2:
      return float1<Logarithm2>(element);
    default:
      return nullptr;
  }
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(transcendental_handler);

Handler glsl_transcendental_handler(std::uint32_t instruction, Element element) {
  return HWY_DYNAMIC_DISPATCH(transcendental_handler)(instruction, element);
}

}  // namespace crosslane::machine
#endif
