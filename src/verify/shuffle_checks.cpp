// Every shuffle of every type against the lane whose value it must be (the table in hlsl/crosslane/shuffle.hlsli).
#include <fmt/format.h>
#include <array>
#include <limits>

#include "verify/checks.hpp"

namespace crosslane::conformance {
namespace {

/// The constants of kernels/verify/shuffle.hlsl, in its order.
constexpr std::array<std::int32_t, 6> constant_distances = {1, 2, 5, 8, 31, 64};

/// Distances that each lane is given; the last ones differ from lane to lane.
constexpr std::uint32_t scattered_distances = 4;

std::vector<std::int32_t> uniform_distances(std::int32_t wave_size) {
  std::vector<std::int32_t> distances = {0, std::numeric_limits<std::int32_t>::max(),
                                         std::numeric_limits<std::int32_t>::min()};
  for (std::int32_t power = 1; power <= 2 * wave_size; power *= 2) {
    for (const std::int32_t distance : {power, power + 1, -power, 1 - power}) {
      distances.push_back(distance);
    }
  }
  return distances;
}

std::vector<std::int32_t> make_distances(const Inputs& inputs, std::int32_t wave_size) {
  std::vector<std::int32_t> distances;
  for (const std::int32_t distance : uniform_distances(wave_size)) {
    distances.insert(distances.end(), inputs.threads(), distance);
  }
  for (std::uint32_t i = 0; i < scattered_distances * inputs.threads(); ++i) {
    distances.push_back(static_cast<std::int32_t>(hash(i) % (4U * static_cast<std::uint32_t>(wave_size) + 1)) -
                        2 * wave_size);
  }
  return distances;
}

/// Random bits, but for floats neither NaN nor infinite nor denormal: what moves them may change those.
std::uint64_t make_value(const ElementType& type, std::uint32_t thread) {
  std::uint64_t value = hash(thread) & type.mask();
  if (type.kind == ElementKind::floating) {
    value &= ~(std::uint64_t{1} << (type.bits - 2));
    value |= std::uint64_t{1} << (type.bits - 3);
  }
  return value;
}

/// Lane i's value where `source` is not a lane of the wave.
std::int64_t own_at_edge(std::int64_t source, std::int64_t lane, std::int64_t wave_size) {
  return source >= 0 && source < wave_size ? source : lane;
}

std::int64_t modulo(std::int64_t source, std::int64_t wave_size) {
  return ((source % wave_size) + wave_size) % wave_size;
}

/// One call of one shuffle by all lanes of a wave.
struct Call {
  std::string_view promise;
  std::uint32_t slot;
  std::int64_t (*source)(std::int64_t lane, std::int64_t distance, std::int64_t wave_size);
};

std::int64_t source_up(std::int64_t lane, std::int64_t distance, std::int64_t wave_size) {
  return own_at_edge(lane - distance, lane, wave_size);
}
std::int64_t source_down(std::int64_t lane, std::int64_t distance, std::int64_t wave_size) {
  return own_at_edge(lane + distance, lane, wave_size);
}
std::int64_t source_xor(std::int64_t lane, std::int64_t mask, std::int64_t wave_size) {
  return own_at_edge(lane ^ mask, lane, wave_size);
}
std::int64_t source_any(std::int64_t /*lane*/, std::int64_t source, std::int64_t wave_size) {
  return modulo(source, wave_size);
}
std::int64_t source_rotate(std::int64_t lane, std::int64_t distance, std::int64_t wave_size) {
  return modulo(lane + distance, wave_size);
}

class ShuffleCheck {
 public:
  ShuffleCheck(const Session& session, const ElementType& type, const Situation& situation, const Inputs& inputs,
               const Recording& recording)
      : session_(session), type_(type), situation_(situation), inputs_(inputs), recording_(recording) {}

  void check(const Wave& wave) const {
    std::uint32_t slot = slot::own;
    for (const std::int32_t distance : constant_distances) {
      const auto constant = [distance](std::uint32_t /*lane*/) { return distance; };
      check_call(wave, {"shuffle-up", slot++, source_up}, constant);
      check_call(wave, {"shuffle-down", slot++, source_down}, constant);
    }
    const Lanes active = wave.callers(inputs_.callers);
    std::uint32_t first = 0;
    while (first < max_lanes && !active[first]) {
      ++first;
    }
    for (std::uint32_t i = 0; i < inputs_.distance_count(); ++i) {
      const auto of_lane = [&](std::uint32_t lane) {
        return inputs_.distances[i * inputs_.threads() + *wave.threads[lane]];
      };
      const auto of_first_lane = [&](std::uint32_t /*lane*/) { return of_lane(first); };
      check_call(wave, {"shuffle-up", slot++, source_up}, of_lane);
      check_call(wave, {"shuffle-down", slot++, source_down}, of_lane);
      check_call(wave, {"shuffle-xor", slot++, source_xor}, of_lane);
      check_call(wave, {"shuffle", slot++, source_any}, of_lane);
      check_call(wave, {"rotate", slot++, source_rotate}, of_lane);
      check_call(wave, {"broadcast", slot++, source_any}, of_first_lane);
    }
  }

 private:
  template <typename DistanceOfLane>
  void check_call(const Wave& wave, const Call& call, DistanceOfLane distance_of) const {
    const Lanes active = wave.callers(inputs_.callers);
    for (std::uint32_t lane = 0; lane < wave.lane_count; ++lane) {
      if (!active[lane]) {
        continue;
      }
      const std::int32_t distance = distance_of(lane);
      const auto source = static_cast<std::size_t>(call.source(lane, distance, wave.lane_count));
      if (active[source]) {  // a read from an inactive lane is undefined
        compare(session_, {.promise = call.promise,
                           .type = type_.name,
                           .situation = situation_.text,
                           .wave = wave.number,
                           .lane = lane,
                           .expected = inputs_.values[*wave.threads[source]],
                           .got = recording_.at(call.slot, *wave.threads[lane]),
                           .note = fmt::format("distance {}", distance)});
      }
    }
  }

  const Session& session_;
  const ElementType& type_;
  const Situation& situation_;
  const Inputs& inputs_;
  const Recording& recording_;
};

void check_type(const Session& session, const ElementType& type, const Situation& situation) {
  Inputs inputs = make_inputs(situation);
  inputs.distances = make_distances(inputs, static_cast<std::int32_t>(session.wave_size));
  for (std::uint32_t thread = 0; thread < inputs.threads(); ++thread) {
    inputs.values[thread] = make_value(type, thread);
  }
  const std::uint32_t slots =
      slot::own + 2 * static_cast<std::uint32_t>(constant_distances.size()) + 6 * inputs.distance_count();
  const auto recording = run_situation(session, fmt::format("verify.shuffle.{}", type.name), situation, inputs, slots,
                                       {"shuffle-up", "shuffle-down", "shuffle-xor", "shuffle", "rotate", "broadcast"});
  if (!recording) {
    return;
  }
  const ShuffleCheck check(session, type, situation, inputs, *recording);
  for (const Wave& wave : find_waves(*recording)) {
    if (wave.lane_count >= 1 && wave.lane_count <= max_lanes) {  // else "wave-size" is broken, and nothing is defined
      check.check(wave);
    }
  }
}

}  // namespace

void check_shuffles(const Session& session) {
  if (!session.info.features.wave_shuffle || !session.info.features.wave_shuffle_relative) {
    return;
  }
  for (const ElementType& type : all_element_types) {
    if (has_type(session.info.features, type)) {
      for (const Situation& situation : all_situations) {
        check_type(session, type, situation);
      }
    }
  }
}

}  // namespace crosslane::conformance
