#include "cli/result_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "cli/pieces.hpp"
#include "cli/progress.hpp"
#include "report/scalar.hpp"

namespace crosslane::cli {
namespace {

constexpr const char* comparing = "comparing the methods' results";

using Bytes = std::span<const std::byte>;

template <typename T>
T value_at(Bytes bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, &bytes[offset], sizeof(T));
  return value;
}

// A 16-bit float.
struct Half {
  std::uint16_t bits = 0;

  explicit operator double() const {
    constexpr int fraction_bits = 10;
    constexpr int bias = 15;
    constexpr std::uint32_t infinite = 31;
    const std::uint32_t exponent = bits >> fraction_bits & infinite;
    const std::uint32_t fraction = bits & ((1U << fraction_bits) - 1);
    const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
    if (exponent == infinite) {
      return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    }
    const std::uint32_t significand = exponent == 0 ? fraction : fraction | 1U << fraction_bits;
    return sign * std::ldexp(significand, static_cast<int>(std::max(exponent, 1U)) - bias - fraction_bits);
  }
};

// Goes over the sums from the front, piece by piece, for `magnitude` grows with them.
template <typename T>
class SumComparison {
 public:
  explicit SumComparison(const RunningSums& sums) : sums_(sums) {}

  void compare(Bytes input, Bytes first, Bytes second) {
    for (std::size_t offset = 0; offset < input.size(); offset += sizeof(T)) {
      const double before = magnitude_;
      magnitude_ += std::abs(static_cast<double>(value_at<T>(input, offset)));
      const double tolerance = sums_.error_bound * (sums_.exclusive ? before : magnitude_);
      agree_ = agree_ && report::agree(value_at<T>(first, offset), value_at<T>(second, offset), tolerance);
    }
  }
  [[nodiscard]] bool agree() const { return agree_; }

 private:
  RunningSums sums_;
  double magnitude_ = 0.0;
  bool agree_ = true;
};

// Squares of numbers, and of what two methods differ by.
template <typename T>
class SquareComparison {
 public:
  void compare(Bytes first, Bytes second) {
    for (std::size_t offset = 0; offset < first.size(); offset += sizeof(T)) {
      const auto a = static_cast<double>(value_at<T>(first, offset));
      const auto b = static_cast<double>(value_at<T>(second, offset));
      if (!std::isfinite(a) || !std::isfinite(b)) {
        same_finite_ = same_finite_ && std::isfinite(a) == std::isfinite(b);
        continue;
      }
      all_ += a * a;
      differences_ += (a - b) * (a - b);
    }
  }
  [[nodiscard]] bool agree(double bound) const {
    return same_finite_ && std::sqrt(differences_) <= bound * std::sqrt(all_);
  }

 private:
  double all_ = 0.0;
  double differences_ = 0.0;
  bool same_finite_ = true;
};

template <typename T>
Expected<bool> compare_squares(Device& device, Buffer& first, Buffer& second, std::uint64_t count, double bound,
                               const Console& console) {
  SquareComparison<T> comparison;
  std::vector<std::byte> of_second;
  Progress progress(console, comparing, count * sizeof(T));
  return in_pieces(count * sizeof(T), progress,
                   [&](std::span<std::byte> piece, std::uint64_t offset) {
                     of_second.resize(piece.size());
                     return download(device, first, piece, offset)
                         .and_then([&] { return download(device, second, of_second, offset); })
                         .map([&] { comparison.compare(piece, of_second); });
                   })
      .map([&] { return comparison.agree(bound); });
}

template <typename T>
Expected<bool> compare_sums(Device& device, Buffer& input, Buffer& first, Buffer& second, const RunningSums& sums,
                            const Console& console) {
  const std::uint64_t bytes = sums.count * sizeof(T);
  SumComparison<T> comparison(sums);
  std::vector<std::byte> of_first;
  std::vector<std::byte> of_second;
  Progress progress(console, comparing, bytes);
  return in_pieces(bytes, progress,
                   [&](std::span<std::byte> piece, std::uint64_t offset) {
                     of_first.resize(piece.size());
                     of_second.resize(piece.size());
                     return download(device, input, piece, offset)
                         .and_then([&] { return download(device, first, of_first, offset); })
                         .and_then([&] { return download(device, second, of_second, offset); })
                         .map([&] { comparison.compare(piece, of_first, of_second); });
                   })
      .map([&] { return comparison.agree(); });
}

// Numbers that order as what they stand for does, and follow each other: of halves, from their bits.
std::int32_t number_of(std::uint32_t code, bool is_half) {
  constexpr std::uint32_t sign = 0x8000U;
  const auto magnitude = static_cast<std::int32_t>(code & ~sign);
  return !is_half ? static_cast<std::int32_t>(code) : (code & sign) != 0 ? -magnitude : magnitude;
}

template <typename Code>
bool within_a_step(Bytes first, Bytes second, bool are_halves) {
  for (std::size_t offset = 0; offset + sizeof(Code) <= first.size(); offset += sizeof(Code)) {
    const std::int32_t a = number_of(value_at<Code>(first, offset), are_halves);
    const std::int32_t b = number_of(value_at<Code>(second, offset), are_halves);
    if (std::abs(a - b) > 1) {
      return false;
    }
  }
  return true;
}

}  // namespace

Expected<bool> steps_agree(Device& device, Buffer& first, Buffer& second, std::uint32_t bits, bool are_floats,
                           std::uint64_t bytes, const Console& console) {
  bool agree = true;
  std::vector<std::byte> of_second;
  Progress progress(console, comparing, bytes);
  return in_pieces(bytes, progress,
                   [&](std::span<std::byte> piece, std::uint64_t offset) {
                     of_second.resize(piece.size());
                     return download(device, first, piece, offset)
                         .and_then([&] { return download(device, second, of_second, offset); })
                         .map([&] {
                           agree = agree && (bits == 8 ? within_a_step<std::uint8_t>(piece, of_second, are_floats)
                                                       : within_a_step<std::uint16_t>(piece, of_second, are_floats));
                         });
                   })
      .map([&] { return agree; });
}

Expected<bool> same_bytes(Device& device, Buffer& first, Buffer& second, std::uint64_t bytes, const Console& console) {
  bool same = true;
  std::vector<std::byte> of_second;
  Progress progress(console, comparing, bytes);
  return in_pieces(bytes, progress,
                   [&](std::span<std::byte> piece, std::uint64_t offset) {
                     of_second.resize(piece.size());
                     return download(device, first, piece, offset)
                         .and_then([&] { return download(device, second, of_second, offset); })
                         .map([&] { same = same && std::ranges::equal(piece, of_second); });
                   })
      .map([&] { return same; });
}

Expected<bool> sums_agree(Device& device, Buffer& input, Buffer& first, Buffer& second, const RunningSums& sums,
                          const Console& console) {
  return sums.type == ScalarType::f64 ? compare_sums<double>(device, input, first, second, sums, console)
                                      : compare_sums<float>(device, input, first, second, sums, console);
}

Expected<bool> transforms_agree(Device& device, Buffer& first, Buffer& second, TransformParts parts,
                                std::uint64_t count, double bound, const Console& console) {
  switch (parts) {
    case TransformParts::f16:
      return compare_squares<Half>(device, first, second, count, bound, console);
    case TransformParts::f32:
      return compare_squares<float>(device, first, second, count, bound, console);
    default:
      return compare_squares<double>(device, first, second, count, bound, console);
  }
}

}  // namespace crosslane::cli
