// Conversions between numbers. A float that the integer type cannot hold becomes the nearest integer that it can; NaN
// becomes 0.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine/ops_convert.cpp"
#include <limits>

#include "machine/targets.hpp"

#include <hwy/foreach_target.h>

#include "machine/handlers.hpp"
#include "machine/lane_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace crosslane::machine::HWY_NAMESPACE {
namespace {

// The smallest power of two that is above every value of T.
template <typename F, typename T>
constexpr F above() {
  F limit = 1;
  for (int bit = 0; bit < std::numeric_limits<T>::digits; ++bit) {
    limit *= 2;
  }
  return limit;
}

template <typename T>
struct To {
  template <typename A>
  HWY_INLINE T operator()(A value) const {
    if constexpr (std::is_floating_point_v<A> && std::is_integral_v<T>) {
      constexpr A top = above<A, T>();
      constexpr A bottom = std::is_signed_v<T> ? -top : A{0};
      const A inside = value >= bottom && value < top ? value : A{0};
      const T converted = static_cast<T>(inside);
      const T limit = value >= top ? std::numeric_limits<T>::max() : converted;
      return value < bottom ? std::numeric_limits<T>::min() : limit;
    } else {
      return static_cast<T>(value);
    }
  }
};

template <typename A>
struct ToHalf {
  HWY_INLINE float operator()(A value) const { return static_cast<float>(value); }
};
template <>
struct ToHalf<double> {
  template <typename T>
  HWY_INLINE float operator()(T value) const {
    return round_to_odd(static_cast<double>(value));
  }
};

struct Quantize {
  HWY_INLINE float operator()(float value) const {
    const float rounded = to_float(to_half(value));
    const bool denormal = (std::bit_cast<std::uint32_t>(rounded) & 0x7FFFFFFFU) < (113U << 23U);
    return denormal ? std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) & 0x80000000U) : rounded;
  }
};

template <typename Row, typename T, typename FromRow>
constexpr Handler conversion = &map1<To<T>, Row, FromRow>;

// `A` is how the source row is read.
template <typename FromRow>
Handler from(Element to, bool to_signed) {
  switch (to) {
    case Element::int8:
      return to_signed ? conversion<std::int8_t, std::int8_t, FromRow>
                       : conversion<std::uint8_t, std::uint8_t, FromRow>;
    case Element::int16:
      return to_signed ? conversion<std::int16_t, std::int16_t, FromRow>
                       : conversion<std::uint16_t, std::uint16_t, FromRow>;
    case Element::int64:
      return to_signed ? conversion<std::int64_t, std::int64_t, FromRow>
                       : conversion<std::uint64_t, std::uint64_t, FromRow>;
    case Element::float16:
      if constexpr (std::is_same_v<FromRow, Half>) {
        return &map1<ToHalf<float>, Half, Half>;
      } else if constexpr (std::is_integral_v<FromRow> && sizeof(FromRow) >= 4) {
        // Halves end at 65,504: doubles hold every integer that matters.
        return &map1<ToHalf<double>, Half, FromRow>;
      } else {
        return &map1<ToHalf<FromRow>, Half, FromRow>;
      }
    case Element::float32:
      return conversion<float, float, FromRow>;
    case Element::float64:
      return conversion<double, double, FromRow>;
    default:
      return to_signed ? conversion<std::int32_t, std::int32_t, FromRow>
                       : conversion<std::uint32_t, std::uint32_t, FromRow>;
  }
}

}  // namespace

Handler number_handler(Element source, bool source_signed, Element to, bool to_signed) {
  switch (source) {
    case Element::int8:
      return source_signed ? from<std::int8_t>(to, to_signed) : from<std::uint8_t>(to, to_signed);
    case Element::int16:
      return source_signed ? from<std::int16_t>(to, to_signed) : from<std::uint16_t>(to, to_signed);
    case Element::int64:
      return source_signed ? from<std::int64_t>(to, to_signed) : from<std::uint64_t>(to, to_signed);
    case Element::float16:
      return from<Half>(to, to_signed);
    case Element::float32:
      return from<float>(to, to_signed);
    case Element::float64:
      return from<double>(to, to_signed);
    default:
      return source_signed ? from<std::int32_t>(to, to_signed) : from<std::uint32_t>(to, to_signed);
  }
}

Handler quantized_handler() { return &map1<Quantize, float, float>; }

}  // namespace crosslane::machine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace crosslane::machine {

HWY_EXPORT(number_handler);
HWY_EXPORT(quantized_handler);

Handler convert_handler(Element from, bool from_signed, Element to, bool to_signed) {
  return HWY_DYNAMIC_DISPATCH(number_handler)(from, from_signed, to, to_signed);
}

Handler quantize_handler() { return HWY_DYNAMIC_DISPATCH(quantized_handler)(); }

}  // namespace crosslane::machine
#endif
