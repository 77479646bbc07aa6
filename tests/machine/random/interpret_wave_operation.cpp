// What wave operations give, lane by lane.
#include "machine/random/interpret_wave_operation.hpp"

#include <algorithm>
#include <functional>

#include "machine/random/interpret_arithmetic.hpp"

namespace crosslane::machine_tests {

LaneValues interpret_wave_operation(const Expression& expression, const std::vector<LaneValues>& operands, Lanes active,
                                    std::uint32_t wave_size) {
  const auto immediate = expression.immediate;
  const auto a = [&](std::uint32_t lane) { return operands[0][lane]; };
  const auto b = [&](std::uint32_t lane) { return operands[1][lane]; };
  Lanes yes;  // the ballot of a
  std::uint32_t first = most_lanes;
  std::uint32_t last = 0;
  for (std::uint32_t lane = wave_size; lane-- > 0;) {
    if (active[lane]) {
      yes[lane] = !operands.empty() && operands[0][lane] != 0;
      first = lane;
      last = std::max(last, lane);
    }
  }
  // a of another lane, where it can be read.
  const auto read = [&](std::uint32_t from) { return from < wave_size && active[from] ? a(from) : 0; };
  const auto together = [&](std::uint32_t lane, const std::function<bool(std::uint32_t)>& member, Shape shape) {
    std::uint32_t sum = identity(expression.arithmetic);
    for (std::uint32_t other = 0; other < wave_size; ++other) {
      const bool counts = shape == Shape::reduce || other < lane || (other == lane && shape == Shape::inclusive);
      if (active[other] && counts && member(other)) {
        const auto value = is_logical(expression.arithmetic) ? (a(other) != 0 ? 1U : 0U) : a(other);
        sum = combine(expression.arithmetic, sum, value);
      }
    }
    return sum;
  };
  const auto of_lane = [&](std::uint32_t lane) -> std::uint32_t {
    switch (expression.wave) {
      case WaveOp::elect:
        return lane == first ? 1 : 0;
      case WaveOp::all:
        return yes == active ? 1 : 0;
      case WaveOp::any:
        return yes.any() ? 1 : 0;
      case WaveOp::all_equal:
        for (std::uint32_t other = 0; other < wave_size; ++other) {
          if (active[other] && a(other) != a(lane)) {
            return 0;
          }
        }
        return 1;
      case WaveOp::ballot_word: {
        std::uint32_t word = 0;
        for (std::uint32_t bit = 0; bit < 32; ++bit) {
          word |= yes[immediate * 32 + bit] ? 1U << bit : 0U;
        }
        return word;
      }
      case WaveOp::ballot_count: {
        std::uint32_t count = 0;
        for (std::uint32_t other = 0; other < wave_size; ++other) {
          const bool counts = expression.shape == Shape::reduce || other < lane ||
                              (other == lane && expression.shape == Shape::inclusive);
          count += yes[other] && counts ? 1 : 0;
        }
        return count;
      }
      case WaveOp::ballot_extract:
        return yes[b(lane) % wave_size] ? 1 : 0;
      case WaveOp::inverse_ballot:
        return yes[lane] ? 1 : 0;
      case WaveOp::ballot_lowest:
        return first;
      case WaveOp::ballot_highest:
        return last;
      case WaveOp::broadcast_first:
        return a(first);
      case WaveOp::broadcast:
        return read(immediate);
      case WaveOp::shuffle:
        return read(b(lane));
      case WaveOp::shuffle_xor:
        return read(lane ^ (b(lane) % 128));
      case WaveOp::shuffle_up:
        return b(lane) % 128 <= lane ? read(lane - b(lane) % 128) : 0;
      case WaveOp::shuffle_down:
        return read(lane + b(lane) % 128);
      case WaveOp::quad_broadcast:
        return read(lane / 4 * 4 + immediate);
      case WaveOp::quad_swap:
        return read(lane ^ (immediate + 1));
      case WaveOp::rotate:
        return read((lane + immediate) % wave_size);
      case WaveOp::arithmetic:
        return together(
            lane, [](std::uint32_t) { return true; }, expression.shape);
      case WaveOp::clustered:
        return together(
            lane, [&](std::uint32_t other) { return other / immediate == lane / immediate; }, Shape::reduce);
      case WaveOp::partitioned:
        return together(
            lane, [&](std::uint32_t other) { return b(other) == b(lane); }, expression.shape);
    }
    return 0;
  };
  LaneValues result{};
  for (std::uint32_t lane = 0; lane < wave_size; ++lane) {
    if (active[lane]) {
      result[lane] = of_lane(lane);
    }
  }
  return result;
}

}  // namespace crosslane::machine_tests
