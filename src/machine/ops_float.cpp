// Float arithmetic: +, −, ×, ÷ and fma round correctly; nothing is contracted or flushed.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_float.cpp"
#include <cmath>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/handlers.hpp"
#include "machine/lane_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

struct Add {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a + b;
  }
};
struct Subtract {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a - b;
  }
};
struct Multiply {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a * b;
  }
};
struct Divide {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a / b;
  }
};
struct Negate {
  template <typename T>
  HWY_INLINE T operator()(T a) const {
    return -a;
  }
};
// The sign of the dividend.
struct Remainder {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return std::fmod(a, b);
  }
};
// The sign of the divisor.
struct Modulo {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    const T remainder = std::fmod(a, b);
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : std::copysign(remainder, b);
  }
};

struct Fma {
  template <typename T>
  HWY_INLINE T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
};
// The product of halves is exact in a double, and their sum to more places than decide the rounding.
struct FmaHalf {
  HWY_INLINE float operator()(float a, float b, float c) const {
    return round_to_odd(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
  }
};

}  // namespace

Handler core_float_handler(spv::Op opcode, Element element) {
  switch (opcode) {
    case spv::Op::OpFAdd:
      return float2<Add>(element);
    case spv::Op::OpFSub:
      return float2<Subtract>(element);
    case spv::Op::OpFMul:
      return float2<Multiply>(element);
    case spv::Op::OpFDiv:
      return float2<Divide>(element);
    case spv::Op::OpFNegate:
      return float1<Negate>(element);
    case spv::Op::OpFRem:
      return float2<Remainder>(element);
    case spv::Op::OpFMod:
      return float2<Modulo>(element);
    default:
      return nullptr;
  }
}

Handler fused_handler(Element element) {
  return element == Element::float16 ? &map3<FmaHalf, Half, Half> : float3<Fma>(element);
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(core_float_handler);
HWY_EXPORT(fused_handler);

Handler float_handler(spv::Op opcode, Element element) {
  return HWY_DYNAMIC_DISPATCH(core_float_handler)(opcode, element);
}

Handler fma_handler(Element element) { return HWY_DYNAMIC_DISPATCH(fused_handler)(element); }

}  // namespace crosslane::machine
#endif
