// A set of lanes of one wave.
#pragma once

#include <bit>
#include <cstdint>

namespace crosslane::machine {

constexpr std::uint32_t largest_wave = 128;

/// Bit i stands for lane i.
struct Mask {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const Mask&, const Mask&) = default;
  friend Mask operator&(Mask a, Mask b) { return {a.low & b.low, a.high & b.high}; }
  friend Mask operator|(Mask a, Mask b) { return {a.low | b.low, a.high | b.high}; }
  friend Mask operator-(Mask a, Mask b) { return {a.low & ~b.low, a.high & ~b.high}; }
  [[nodiscard]] bool any() const { return (low | high) != 0; }
  [[nodiscard]] bool test(std::uint32_t lane) const { return ((lane < 64 ? low : high) >> (lane & 63U) & 1U) != 0; }
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(std::popcount(low) + std::popcount(high));
  }
  /// The lowest lane; 128 for none.
  [[nodiscard]] std::uint32_t first() const {
    return static_cast<std::uint32_t>(low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high));
  }
  /// The highest lane; of a set that is not empty.
  [[nodiscard]] std::uint32_t last() const {
    return static_cast<std::uint32_t>(high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low));
  }
};

/// Lanes 0 to count − 1.
inline Mask first_lanes(std::uint32_t count) {
  const auto ones = [](std::uint32_t n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; };
  return {ones(count), count > 64 ? ones(count - 64) : 0};
}

/// Calls `visit(lane)` for every lane of the set, rising.
template <typename Visit>
void for_each_lane(Mask mask, Visit visit) {
  for (auto word = mask.low; word != 0; word &= word - 1) {
    visit(static_cast<std::uint32_t>(std::countr_zero(word)));
  }
  for (auto word = mask.high; word != 0; word &= word - 1) {
    visit(static_cast<std::uint32_t>(64 + std::countr_zero(word)));
  }
}

}  // namespace crosslane::machine
