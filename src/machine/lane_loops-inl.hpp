// Loops over the lanes and components of register rows, compiled once per instruction set: include it from files that
// Highway's foreach_target includes again. Plain loops; the compiler vectorises them, which -ffp-contract=off and the
// absence of tails leave it free to do.
#if defined(CROSSLANE_LANE_LOOPS_TOGGLE) == defined(HWY_TARGET_TOGGLE)
#ifdef CROSSLANE_LANE_LOOPS_TOGGLE
#undef CROSSLANE_LANE_LOOPS_TOGGLE
#else
#define CROSSLANE_LANE_LOOPS_TOGGLE
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include "machine/element.hpp"
#include "machine/op.hpp"
#include "machine/wave.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {

// A 16-bit float in its register row. Arithmetic on it is done in 32 bits and rounded: for one addition,
// multiplication, division or square root that is correct rounding.
struct Half {
  std::uint16_t bits;
};

HWY_INLINE float to_float(Half half) {
  const std::uint32_t magnitude = half.bits & 0x7FFFU;
  const std::uint32_t sign = (half.bits & 0x8000U) << 16U;
  const std::uint32_t shifted = magnitude << 13U;
  const std::uint32_t normal = shifted + (112U << 23U);
  const std::uint32_t infinite = shifted + (224U << 23U);
  // Denormals: let the float unit normalise them.
  const float small = std::bit_cast<float>(shifted + (113U << 23U)) - std::bit_cast<float>(113U << 23U);
  const std::uint32_t finite = magnitude < 0x400U ? std::bit_cast<std::uint32_t>(small) : normal;
  return std::bit_cast<float>((magnitude >= 0x7C00U ? infinite : finite) | sign);
}

HWY_INLINE Half to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  // Denormal results: adding 0.5 lets the float unit round to the last place of a half.
  const std::uint32_t small =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t odd = (magnitude >> 13U) & 1U;
  const std::uint32_t normal = (magnitude - (112U << 23U) + 0xFFFU + odd) >> 13U;
  const std::uint32_t special = magnitude > 0x7F800000U ? 0x7E00U | ((magnitude >> 13U) & 0x3FFU) : 0x7C00U;
  const std::uint32_t finite = magnitude < (113U << 23U) ? small : normal;
  return {static_cast<std::uint16_t>((magnitude >= 0x47800000U ? special : finite) | sign)};
}

// To 32 bits so that a second rounding, to 16 bits, comes out as one from the double would: what lies between two
// floats becomes the one with an odd last place.
HWY_INLINE float round_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  const double difference = value - static_cast<double>(nearest);
  if (difference != 0 && difference == difference && (bits & 1U) == 0) {
    if (nearest == 0) {
      bits = (std::bit_cast<std::uint64_t>(value) >> 63U) != 0 ? 0x80000001U : 1U;
    } else {
      bits = (difference > 0) == (nearest > 0) ? bits + 1U : bits - 1U;
    }
  }
  return std::bit_cast<float>(bits);
}

// From the row's type to the type that is computed with, and back.
template <typename T>
HWY_INLINE T open(T value) {
  return value;
}
HWY_INLINE float open(Half value) { return to_float(value); }

template <typename Row, typename T>
HWY_INLINE Row close(T value) {
  if constexpr (std::is_same_v<Row, Half>) {
    return to_half(static_cast<float>(value));
  } else {
    return static_cast<Row>(value);
  }
}

HWY_INLINE std::size_t loop_count(const Operation& op) { return op.count & ~std::size_t{row_lanes - 1}; }

// Each `op` has dst and the operands a, b, c that the loop names; F is a function object.
template <typename F, typename R, typename A>
void map1(Wave& wave, const Operation& op) {
  R* HWY_RESTRICT out = wave.row<R>(op.dst);
  const A* HWY_RESTRICT a = wave.row<A>(op.a);
  const std::size_t count = loop_count(op);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = close<R>(F{}(open(a[i])));
  }
}

template <typename F, typename R, typename A, typename B = A>
void map2(Wave& wave, const Operation& op) {
  R* HWY_RESTRICT out = wave.row<R>(op.dst);
  const A* HWY_RESTRICT a = wave.row<A>(op.a);
  const B* HWY_RESTRICT b = wave.row<B>(op.b);
  const std::size_t count = loop_count(op);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = close<R>(F{}(open(a[i]), open(b[i])));
  }
}

template <typename F, typename R, typename A, typename B = A, typename C = A>
void map3(Wave& wave, const Operation& op) {
  R* HWY_RESTRICT out = wave.row<R>(op.dst);
  const A* HWY_RESTRICT a = wave.row<A>(op.a);
  const B* HWY_RESTRICT b = wave.row<B>(op.b);
  const C* HWY_RESTRICT c = wave.row<C>(op.c);
  const std::size_t count = loop_count(op);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = close<R>(F{}(open(a[i]), open(b[i]), open(c[i])));
  }
}

template <typename F, typename R>
void map4(Wave& wave, const Operation& op) {
  R* HWY_RESTRICT out = wave.row<R>(op.dst);
  const R* HWY_RESTRICT a = wave.row<R>(op.a);
  const R* HWY_RESTRICT b = wave.row<R>(op.b);
  const R* HWY_RESTRICT c = wave.row<R>(op.c);
  const R* HWY_RESTRICT d = wave.row<R>(op.d);
  const std::size_t count = loop_count(op);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = close<R>(F{}(open(a[i]), open(b[i]), open(c[i]), open(d[i])));
  }
}

// The handler of F for integers of the element's width, or for its kind of float; null where there is none.
template <typename F>
Handler integer1(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &map1<F, std::uint8_t, std::uint8_t>;
    case 2:
      return &map1<F, std::uint16_t, std::uint16_t>;
    case 4:
      return &map1<F, std::uint32_t, std::uint32_t>;
    default:
      return &map1<F, std::uint64_t, std::uint64_t>;
  }
}

template <typename F>
Handler integer2(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &map2<F, std::uint8_t, std::uint8_t>;
    case 2:
      return &map2<F, std::uint16_t, std::uint16_t>;
    case 4:
      return &map2<F, std::uint32_t, std::uint32_t>;
    default:
      return &map2<F, std::uint64_t, std::uint64_t>;
  }
}

template <typename F>
Handler integer3(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &map3<F, std::uint8_t, std::uint8_t>;
    case 2:
      return &map3<F, std::uint16_t, std::uint16_t>;
    case 4:
      return &map3<F, std::uint32_t, std::uint32_t>;
    default:
      return &map3<F, std::uint64_t, std::uint64_t>;
  }
}

template <typename F>
Handler integer4(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &map4<F, std::uint8_t>;
    case 2:
      return &map4<F, std::uint16_t>;
    case 4:
      return &map4<F, std::uint32_t>;
    default:
      return &map4<F, std::uint64_t>;
  }
}

// Results are booleans.
template <typename F>
Handler integer_test2(Element element) {
  switch (bytes_of(element)) {
    case 1:
      return &map2<F, std::uint32_t, std::uint8_t>;
    case 2:
      return &map2<F, std::uint32_t, std::uint16_t>;
    case 4:
      return &map2<F, std::uint32_t, std::uint32_t>;
    default:
      return &map2<F, std::uint32_t, std::uint64_t>;
  }
}

template <typename F>
Handler float1(Element element) {
  switch (element) {
    case Element::float16:
      return &map1<F, Half, Half>;
    case Element::float32:
      return &map1<F, float, float>;
    case Element::float64:
      return &map1<F, double, double>;
    default:
      return nullptr;
  }
}

template <typename F>
Handler float2(Element element) {
  switch (element) {
    case Element::float16:
      return &map2<F, Half, Half>;
    case Element::float32:
      return &map2<F, float, float>;
    case Element::float64:
      return &map2<F, double, double>;
    default:
      return nullptr;
  }
}

template <typename F>
Handler float3(Element element) {
  switch (element) {
    case Element::float16:
      return &map3<F, Half, Half>;
    case Element::float32:
      return &map3<F, float, float>;
    case Element::float64:
      return &map3<F, double, double>;
    default:
      return nullptr;
  }
}

template <typename F>
Handler float_test1(Element element) {
  switch (element) {
    case Element::float16:
      return &map1<F, std::uint32_t, Half>;
    case Element::float32:
      return &map1<F, std::uint32_t, float>;
    case Element::float64:
      return &map1<F, std::uint32_t, double>;
    default:
      return nullptr;
  }
}

template <typename F>
Handler float_test2(Element element) {
  switch (element) {
    case Element::float16:
      return &map2<F, std::uint32_t, Half>;
    case Element::float32:
      return &map2<F, std::uint32_t, float>;
    case Element::float64:
      return &map2<F, std::uint32_t, double>;
    default:
      return nullptr;
  }
}

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
