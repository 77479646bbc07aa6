// GLSL.std.450's common functions: they round correctly, but FMix, SmoothStep and InverseSqrt, which round every step.
// Where an operand is NaN and GLSL.std.450 leaves the result open, FMin and FMax return the first operand.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_glsl_common.cpp"
#include <cmath>
#include <limits>

#include <spirv/unified1/GLSL.std.450.h>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/glsl_handlers.hpp"
#include "machine/lane_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

// Halves go to the even number, in Round too, which leaves it open.
struct RoundEven {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::rint(a);
  }
};
struct Truncate {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::trunc(a);
  }
};
struct Floor {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::floor(a);
  }
};
struct Ceiling {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::ceil(a);
  }
};
struct Fraction {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return a - std::floor(a);
  }
};
// What Modf leaves of a number: of its sign, 0 for infinities.
struct SignedFraction {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    const T whole = std::trunc(a);
    return std::copysign(whole == a ? T{0} : a - whole, a);
  }
};
struct Absolute {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::fabs(a);
  }
};
struct Sign {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return static_cast<T>((a > 0 ? 1 : 0) - (a < 0 ? 1 : 0));
  }
};
struct Minimum {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
// A number rather than a NaN.
struct NumberMinimum {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a != a || b < a ? b : a;
  }
};
struct NumberMaximum {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a != a || a < b ? b : a;
  }
};
template <typename Max, typename Min>
struct Clamp {
  template <typename T>
  HWY_INLINE T operator()(T a, T low, T high) const {
    return Min{}(Max{}(a, low), high);
  }
};
struct Mix {
  template <typename T>
  HWY_INLINE T operator()(T a, T b, T part) const {
    return a * (1 - part) + b * part;
  }
};
struct Step {
  template <typename T>
  HWY_INLINE T operator()(T edge, T a) const {
    return a < edge ? T{0} : T{1};
  }
};
struct SmoothStep {
  template <typename T>
  HWY_INLINE T operator()(T low, T high, T a) const {
    const T place = Clamp<Maximum, Minimum>{}((a - low) / (high - low), T{0}, T{1});
    return place * place * (3 - 2 * place);
  }
};
struct Root {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return std::sqrt(a);
  }
};
struct InverseRoot {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return 1 / std::sqrt(a);
  }
};

// Frexp, without a call: the exponent's bits, after denormals are made normal. Zeros, infinities and NaN are their own
// significand, with exponent 0.
template <typename T>
struct FloatLayout;
template <>
struct FloatLayout<float> {
  using Bits = std::uint32_t;
  static constexpr int fraction_bits = 23;
  static constexpr int bias = 126;  // of significands from 0.5 to 1
  static constexpr Bits exponent_mask = 0xFF;
};
template <>
struct FloatLayout<double> {
  using Bits = std::uint64_t;
  static constexpr int fraction_bits = 52;
  static constexpr int bias = 1022;
  static constexpr Bits exponent_mask = 0x7FF;
};
template <typename T>
struct Parts {
  T significand;
  std::int32_t exponent;
};
template <typename T>
HWY_INLINE Parts<T> split(T value) {
  using L = FloatLayout<T>;
  using Bits = typename L::Bits;
  constexpr T lift = static_cast<T>(Bits{1} << L::fraction_bits);
  const bool denormal = std::fabs(value) < std::numeric_limits<T>::min();
  const Bits bits = std::bit_cast<Bits>(denormal ? value * lift : value);
  const Bits written = (bits >> L::fraction_bits) & L::exponent_mask;
  const bool whole = written == 0 || written == L::exponent_mask;
  const Bits significand =
      (bits & ~(L::exponent_mask << L::fraction_bits)) | (static_cast<Bits>(L::bias) << L::fraction_bits);
  const std::int32_t exponent = static_cast<std::int32_t>(written) - L::bias - (denormal ? L::fraction_bits : 0);
  return {whole ? value : std::bit_cast<T>(significand), whole ? 0 : exponent};
}
struct Significand {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return split(a).significand;
  }
};
struct Exponent {
  template <typename T>
  HWY_INLINE std::int32_t operator()(T a) const {
    return split(a).exponent;
  }
};
struct Scale {
  template <typename T>
  HWY_INLINE T operator()(T a, std::int32_t exponent) const {
    return std::ldexp(a, exponent);
  }
};

Handler scale_handler(Element element) {
  switch (element) {
    case Element::float16:
      return &map2<Scale, Half, Half, std::int32_t>;
    case Element::float32:
      return &map2<Scale, float, float, std::int32_t>;
    case Element::float64:
      return &map2<Scale, double, double, std::int32_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler common_handler(std::uint32_t instruction, Element element) {
  switch (instruction) {
    case GLSLstd450Round:
    case GLSLstd450RoundEven:
      return float1<RoundEven>(element);
    case GLSLstd450Trunc:
      return float1<Truncate>(element);
    case GLSLstd450Floor:
      return float1<Floor>(element);
    case GLSLstd450Ceil:
      return float1<Ceiling>(element);
    case GLSLstd450Fract:
      return float1<Fraction>(element);
    case GLSLstd450Modf:
      return float1<SignedFraction>(element);
    case GLSLstd450FAbs:
      return float1<Absolute>(element);
    case GLSLstd450FSign:
      return float1<Sign>(element);
    case GLSLstd450FMin:
      return float2<Minimum>(element);
    case GLSLstd450FMax:
      return float2<Maximum>(element);
    case GLSLstd450FClamp:
      return float3<Clamp<Maximum, Minimum>>(element);
    case GLSLstd450NMin:
      return float2<NumberMinimum>(element);
    case GLSLstd450NMax:
      return float2<NumberMaximum>(element);
    case GLSLstd450NClamp:
      return float3<Clamp<NumberMaximum, NumberMinimum>>(element);
    case GLSLstd450FMix:
      return float3<Mix>(element);
    case GLSLstd450Step:
      return float2<Step>(element);
    case GLSLstd450SmoothStep:
      return float3<SmoothStep>(element);
    case GLSLstd450Sqrt:
      return float1<Root>(element);
    case GLSLstd450InverseSqrt:
      return float1<InverseRoot>(element);
    case GLSLstd450Frexp:
      return float1<Significand>(element);
    case GLSLstd450Ldexp:
      return scale_handler(element);
    default:
      return nullptr;
  }
}

Handler exponents(Element element) {
  switch (element) {
    case Element::float16:
      return &map1<Exponent, std::int32_t, Half>;
    case Element::float32:
      return &map1<Exponent, std::int32_t, float>;
    case Element::float64:
      return &map1<Exponent, std::int32_t, double>;
    default:
      return nullptr;
  }
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(common_handler);
HWY_EXPORT(exponents);

Handler glsl_common_handler(std::uint32_t instruction, Element element) {
  return HWY_DYNAMIC_DISPATCH(common_handler)(instruction, element);
}

Handler exponent_handler(Element element) { return HWY_DYNAMIC_DISPATCH(exponents)(element); }

}  // namespace crosslane::machine
#endif
