#include "algorithms/value_range.hpp"

#include <bit>
#include <limits>

namespace crosslane {
namespace {

std::uint64_t all_bits(ScalarType type) { return size_of(type) == 8 ? ~std::uint64_t{0} : 0xFFFFFFFFU; }
std::uint64_t sign_bit(ScalarType type) { return all_bits(type) / 2 + 1; }

/// The values that are less than others or greater: all but NaN.
struct Ordered {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
};

Ordered ordered_values(ScalarType type) {
  if (!is_float(type)) {
    return {0, all_bits(type)};
  }
  const std::uint64_t infinity = type == ScalarType::f32
                                     ? std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity())
                                     : std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
  return {value_number(type, infinity | sign_bit(type)), value_number(type, infinity)};
}

ValueRange nothing(ScalarType type) { return {0, all_bits(type), true}; }

ValueRange from_to(ScalarType type, std::uint64_t first, std::uint64_t last) {
  return first > last ? nothing(type) : ValueRange{first, last - first, false};
}

ValueRange inverse(ValueRange range) { return {range.first, range.more, !range.inverted}; }

}  // namespace

std::uint64_t value_number(ScalarType type, std::uint64_t bits) {
  if (type == ScalarType::u32 || type == ScalarType::u64) {
    return bits;
  }
  const bool negative = (bits & sign_bit(type)) != 0;
  return bits ^ (is_float(type) && negative ? all_bits(type) : sign_bit(type));
}

ValueRange range_of(const ByComparison& condition) {
  const ScalarType type = condition.type;
  const std::uint64_t bits = condition.operand & all_bits(type);
  const auto [least, greatest] = ordered_values(type);
  // −0 and +0 are one value of two numbers.
  const bool zero = is_float(type) && (bits & ~sign_bit(type)) == 0;
  const std::uint64_t low = value_number(type, zero ? sign_bit(type) : bits);
  const std::uint64_t high = value_number(type, zero ? 0 : bits);
  const bool is_nan = low < least || high > greatest;
  const ValueRange equal = is_nan ? nothing(type) : from_to(type, low, high);
  switch (condition.comparison) {
    case Comparison::equal:
      return equal;
    case Comparison::not_equal:
      return inverse(equal);
    case Comparison::less:
      return is_nan || low == least ? nothing(type) : from_to(type, least, low - 1);
    case Comparison::less_equal:
      return is_nan ? nothing(type) : from_to(type, least, high);
    case Comparison::greater:
      return is_nan || high == greatest ? nothing(type) : from_to(type, high + 1, greatest);
    case Comparison::greater_equal:
      return is_nan ? nothing(type) : from_to(type, low, greatest);
  }
  return equal;
}

}  // namespace crosslane
