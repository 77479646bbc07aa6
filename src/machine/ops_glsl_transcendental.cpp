// GLSL.std.450's transcendental functions: those that shaders live on by Highway, the others, and the numbers where
// Highway does not answer, by the C library. All are within 3 units in the last place, far inside of what Vulkan
// allows. Halves are computed in 32 bits and rounded.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_glsl_transcendental.cpp"
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <spirv/unified1/GLSL.std.450.h>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include <hwy/contrib/math/math-inl.h>

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
struct Exponential2 {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::exp2(a);
  }
};

// Functions with a vector form, which is right where `answers` says so; elsewhere `plain` is asked. That is decided
// lane by lane, so that a lane's result does not depend on what the others hold.
namespace hn = hwy::HWY_NAMESPACE;

struct Sine {
  template <typename D, typename V>
  HWY_INLINE V operator()(D tag, V a) const {
    return hn::Sin(tag, a);
  }
  static HWY_INLINE bool answers(float a) { return std::fabs(a) <= 39000; }
  template <typename T>
  HWY_INLINE T plain(T a) const {
    return std::sin(a);
  }
};
struct Cosine {
  template <typename D, typename V>
  HWY_INLINE V operator()(D tag, V a) const {
    return hn::Cos(tag, a);
  }
  static HWY_INLINE bool answers(float a) { return std::fabs(a) <= 39000; }
  template <typename T>
  HWY_INLINE T plain(T a) const {
    return std::cos(a);
  }
};
struct Exponential {
  template <typename D, typename V>
  HWY_INLINE V operator()(D tag, V a) const {
    return hn::Exp(tag, a);
  }
  static HWY_INLINE bool answers(float a) { return a <= 104; }
  template <typename T>
  HWY_INLINE T plain(T a) const {
    return std::exp(a);
  }
};
struct Logarithm {
  template <typename D, typename V>
  HWY_INLINE V operator()(D tag, V a) const {
    return hn::Log(tag, a);
  }
  static HWY_INLINE bool answers(float a) { return a > 0 && a <= std::numeric_limits<float>::max(); }
  template <typename T>
  HWY_INLINE T plain(T a) const {
    return std::log(a);
  }
};
struct Logarithm2 {
  template <typename D, typename V>
  HWY_INLINE V operator()(D tag, V a) const {
    return hn::Log2(tag, a);
  }
  static HWY_INLINE bool answers(float a) { return Logarithm::answers(a); }
  template <typename T>
  HWY_INLINE T plain(T a) const {
    return std::log2(a);
  }
};

template <typename F, typename Row>
void map_vectors(Wave& wave, const Operation& op) {
  const hn::CappedTag<float, row_lanes> tag;
  Row* HWY_RESTRICT out = wave.row<Row>(op.dst);
  const Row* HWY_RESTRICT a = wave.row<Row>(op.a);
  const std::size_t count = loop_count(op);
  for (std::size_t first = 0; first < count; first += row_lanes) {
    alignas(row_alignment) std::array<float, row_lanes> in;
    alignas(row_alignment) std::array<float, row_lanes> result;
    std::uint32_t unanswered = 0;
    for (std::size_t lane = 0; lane < row_lanes; ++lane) {
      in[lane] = open(a[first + lane]);
      unanswered |= F::answers(in[lane]) ? 0U : 1U;
    }
    for (std::size_t lane = 0; lane < row_lanes; lane += hn::Lanes(tag)) {
      hn::Store(F{}(tag, hn::Load(tag, in.data() + lane)), tag, result.data() + lane);
    }
    for (std::size_t lane = 0; unanswered != 0 && lane < row_lanes; ++lane) {
      result[lane] = F::answers(in[lane]) ? result[lane] : F{}.plain(in[lane]);
    }
    for (std::size_t lane = 0; lane < row_lanes; ++lane) {
      out[first + lane] = close<Row>(result[lane]);
    }
  }
}

template <typename F>
struct Plain {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return F{}.plain(a);
  }
};

template <typename F>
Handler vectors(Element element) {
  switch (element) {
    case Element::float16:
      return &map_vectors<F, Half>;
    case Element::float32:
      return &map_vectors<F, float>;
    case Element::float64:
      return &map1<Plain<F>, double, double>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler transcendental_handler(std::uint32_t instruction, Element element) {
  switch (instruction) {
    case GLSLstd450Radians:
      return float1<Radians>(element);
    case GLSLstd450Degrees:
      return float1<Degrees>(element);
    case GLSLstd450Sin:
      return vectors<Sine>(element);
    case GLSLstd450Cos:
      return vectors<Cosine>(element);
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
      return vectors<Exponential>(element);
    case GLSLstd450Exp2:
      return float1<Exponential2>(element);
    case GLSLstd450Log:
      return vectors<Logarithm>(element);
    case GLSLstd450Log2:
      return vectors<Logarithm2>(element);
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
