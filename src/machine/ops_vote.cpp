// Votes, ballots, shuffles.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "machine/program.hpp"
#include "machine/wave.hpp"
#include "machine/wave_ops.hpp"

namespace crosslane::machine {
namespace {

using Ballot = std::array<std::uint32_t, 4>;

Ballot words_of(Mask lanes) {
  return {static_cast<std::uint32_t>(lanes.low), static_cast<std::uint32_t>(lanes.low >> 32U),
          static_cast<std::uint32_t>(lanes.high), static_cast<std::uint32_t>(lanes.high >> 32U)};
}

// The ballot that is in lane `lane` of four rows.
Mask ballot_in(const Wave& wave, std::uint32_t offset, std::uint32_t lane) {
  const auto* rows = wave.row<std::uint32_t>(offset);
  const auto word = [&](std::size_t index) { return std::uint64_t{rows[index * wave.padded + lane]}; };
  return {word(0) | word(1) << 32U, word(2) | word(3) << 32U};
}

void write_ballot(Wave& wave, std::uint32_t offset, std::uint32_t lane, Mask lanes) {
  auto* rows = wave.row<std::uint32_t>(offset);
  const auto words = words_of(lanes);
  for (std::size_t word = 0; word < words.size(); ++word) {
    rows[word * wave.padded + lane] = words[word];
  }
}

void fill(Wave& wave, const Operation& op, std::uint32_t value) {
  std::fill_n(wave.row<std::uint32_t>(op.dst), wave.padded, value);
}

void elect(Wave& wave, const Operation& op) {
  fill(wave, op, 0);
  wave.row<std::uint32_t>(op.dst)[wave.active.first()] = 1;
}

void all(Wave& wave, const Operation& op) {
  const Mask yes = true_lanes(wave, wave.row<std::uint32_t>(op.a)) & wave.active;
  fill(wave, op, yes == wave.active ? 1 : 0);
}

void any(Wave& wave, const Operation& op) {
  const Mask yes = true_lanes(wave, wave.row<std::uint32_t>(op.a)) & wave.active;
  fill(wave, op, yes.any() ? 1 : 0);
}

// Lanes of `among` whose values equal those of `lane`; floats as numbers.
template <typename T>
Mask equal_lanes(const Wave& wave, const Operation& op, std::uint32_t lane, Mask among) {
  Mask equal;
  for_each_lane(among, [&](std::uint32_t other) {
    bool same = true;
    for (std::uint32_t component = 0; component < op.count; ++component) {
      const T* row = wave.row<T>(op.a) + std::size_t{component} * wave.padded;
      same = same && row[other] == row[lane];
    }
    if (same) {
      equal = equal | (first_lanes(other + 1) - first_lanes(other));
    }
  });
  return equal;
}

// A 16-bit float's bits: equal as numbers where the bits are, but for zeros and NaN.
struct HalfBits {
  std::uint16_t bits;
  friend bool operator==(HalfBits a, HalfBits b) {
    const bool nan = (a.bits & 0x7FFFU) > 0x7C00U || (b.bits & 0x7FFFU) > 0x7C00U;
    return !nan && (a.bits == b.bits || ((a.bits | b.bits) & 0x7FFFU) == 0);
  }
};

template <typename T>
void all_equal(Wave& wave, const Operation& op) {
  fill(wave, op, equal_lanes<T>(wave, op, wave.active.first(), wave.active) == wave.active ? 1 : 0);
}

template <typename T>
void partition(Wave& wave, const Operation& op) {
  for (Mask left = wave.active; left.any();) {
    const Mask equal =
        equal_lanes<T>(wave, op, left.first(), left) | (first_lanes(left.first() + 1) - first_lanes(left.first()));
    for_each_lane(equal, [&](std::uint32_t lane) { write_ballot(wave, op.dst, lane, equal); });
    left = left - equal;
  }
}

void ballot(Wave& wave, const Operation& op) {
  const auto words = words_of(true_lanes(wave, wave.row<std::uint32_t>(op.a)) & wave.active);
  for (std::size_t word = 0; word < words.size(); ++word) {
    std::fill_n(wave.row<std::uint32_t>(op.dst) + word * wave.padded, wave.padded, words[word]);
  }
}

// Sets dst in every lane by that lane's ballot, cut to the lanes of the wave.
template <typename Value>
void by_ballot(Wave& wave, const Operation& op, Value value) {
  const Mask all_lanes = first_lanes(wave.lanes);
  auto* out = wave.row<std::uint32_t>(op.dst);
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    out[lane] = value(ballot_in(wave, op.a, lane) & all_lanes, lane);
  }
}

void inverse_ballot(Wave& wave, const Operation& op) {
  by_ballot(wave, op, [](Mask lanes, std::uint32_t lane) { return lanes.test(lane) ? 1U : 0U; });
}

void bit_extract(Wave& wave, const Operation& op) {
  const auto* index = wave.row<std::uint32_t>(op.b);
  by_ballot(wave, op, [&](Mask lanes, std::uint32_t lane) {
    return index[lane] < largest_wave && lanes.test(index[lane]) ? 1U : 0U;
  });
}

void bit_count(Wave& wave, const Operation& op) {
  const auto operation = static_cast<spv::GroupOperation>(op.imm);
  by_ballot(wave, op, [&](Mask lanes, std::uint32_t lane) {
    if (operation == spv::GroupOperation::InclusiveScan) {
      return (lanes & first_lanes(lane + 1)).count();
    }
    return operation == spv::GroupOperation::ExclusiveScan ? (lanes & first_lanes(lane)).count() : lanes.count();
  });
}

void find_lowest(Wave& wave, const Operation& op) {
  by_ballot(wave, op, [](Mask lanes, std::uint32_t) { return lanes.any() ? lanes.first() : 0xFFFFFFFFU; });
}

void find_highest(Wave& wave, const Operation& op) {
  by_ballot(wave, op, [](Mask lanes, std::uint32_t) { return lanes.any() ? lanes.last() : 0xFFFFFFFFU; });
}

constexpr std::uint32_t nowhere = 0xFFFFFFFF;

template <typename Source>
void source_lane(Wave& wave, const Operation& op, Source source) {
  auto* out = wave.row<std::uint32_t>(op.dst);
  const auto* a = wave.row<std::uint32_t>(op.a);
  for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
    const std::uint32_t from = source(lane, a[lane]);
    out[lane] = from < wave.lanes ? from : nowhere;
  }
}

void shuffle_xor(Wave& wave, const Operation& op) {
  source_lane(wave, op, [](std::uint32_t lane, std::uint32_t mask) { return lane ^ mask; });
}
void shuffle_up(Wave& wave, const Operation& op) {
  source_lane(wave, op, [](std::uint32_t lane, std::uint32_t by) { return by <= lane ? lane - by : nowhere; });
}
void shuffle_down(Wave& wave, const Operation& op) {
  source_lane(wave, op, [](std::uint32_t lane, std::uint32_t by) { return by < largest_wave ? lane + by : nowhere; });
}
void rotate(Wave& wave, const Operation& op) {
  const std::uint32_t cluster = op.imm == 0 ? wave.lanes : op.imm;
  source_lane(wave, op, [cluster](std::uint32_t lane, std::uint32_t by) {
    const std::uint32_t start = lane - lane % cluster;
    return start + (lane % cluster + by % cluster) % cluster;
  });
}
void quad_broadcast(Wave& wave, const Operation& op) {
  source_lane(wave, op,
              [](std::uint32_t lane, std::uint32_t index) { return index < 4 ? (lane & ~3U) + index : nowhere; });
}
// 0: horizontal, 1: vertical, 2: diagonal.
void quad_swap(Wave& wave, const Operation& op) {
  source_lane(wave, op, [](std::uint32_t lane, std::uint32_t direction) {
    return direction < 3 ? lane ^ (direction + 1) : nowhere;
  });
}

template <typename T>
void shuffle(Wave& wave, const Operation& op) {
  const auto* from = wave.row<std::uint32_t>(op.b);
  for (std::uint32_t component = 0; component < op.count; ++component) {
    T* out = wave.row<T>(op.dst) + std::size_t{component} * wave.padded;
    const T* in = wave.row<T>(op.a) + std::size_t{component} * wave.padded;
    for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
      const std::uint32_t source = from[lane] < wave.lanes ? from[lane] : 0;
      const bool readable = from[lane] < wave.lanes && wave.active_row[source] != 0;
      const T value = in[source];
      out[lane] = readable ? value : T{0};
    }
  }
}

template <typename T>
void broadcast_first(Wave& wave, const Operation& op) {
  const auto first = wave.active.first();
  for (std::uint32_t component = 0; component < op.count; ++component) {
    const std::size_t start = std::size_t{component} * wave.padded;
    std::fill_n(wave.row<T>(op.dst) + start, wave.padded, wave.row<T>(op.a)[start + first]);
  }
}

}  // namespace

Handler vote_handler(spv::Op opcode) {
  switch (opcode) {
    case spv::Op::OpGroupNonUniformElect:
      return &elect;
    case spv::Op::OpGroupNonUniformAll:
      return &all;
    case spv::Op::OpGroupNonUniformAny:
      return &any;
    default:
      return nullptr;
  }
}

Handler all_equal_handler(Element element) {
  switch (element) {
    case Element::int8:
      return &all_equal<std::uint8_t>;
    case Element::int16:
      return &all_equal<std::uint16_t>;
    case Element::int64:
      return &all_equal<std::uint64_t>;
    case Element::float16:
      return &all_equal<HalfBits>;
    case Element::float32:
      return &all_equal<float>;
    case Element::float64:
      return &all_equal<double>;
    default:
      return &all_equal<std::uint32_t>;
  }
}

Handler partition_handler(Element element) {
  switch (element) {
    case Element::int8:
      return &partition<std::uint8_t>;
    case Element::int16:
      return &partition<std::uint16_t>;
    case Element::int64:
      return &partition<std::uint64_t>;
    case Element::float16:
      return &partition<HalfBits>;
    case Element::float32:
      return &partition<float>;
    case Element::float64:
      return &partition<double>;
    default:
      return &partition<std::uint32_t>;
  }
}

Handler ballot_handler(spv::Op opcode) {
  switch (opcode) {
    case spv::Op::OpGroupNonUniformBallot:
      return &ballot;
    case spv::Op::OpGroupNonUniformInverseBallot:
      return &inverse_ballot;
    case spv::Op::OpGroupNonUniformBallotBitExtract:
      return &bit_extract;
    case spv::Op::OpGroupNonUniformBallotBitCount:
      return &bit_count;
    case spv::Op::OpGroupNonUniformBallotFindLSB:
      return &find_lowest;
    case spv::Op::OpGroupNonUniformBallotFindMSB:
      return &find_highest;
    default:
      return nullptr;
  }
}

Handler source_lane_handler(spv::Op opcode) {
  switch (opcode) {
    case spv::Op::OpGroupNonUniformShuffleXor:
      return &shuffle_xor;
    case spv::Op::OpGroupNonUniformShuffleUp:
      return &shuffle_up;
    case spv::Op::OpGroupNonUniformShuffleDown:
      return &shuffle_down;
    case spv::Op::OpGroupNonUniformRotateKHR:
      return &rotate;
    case spv::Op::OpGroupNonUniformQuadBroadcast:
      return &quad_broadcast;
    case spv::Op::OpGroupNonUniformQuadSwap:
      return &quad_swap;
    default:
      return nullptr;
  }
}

Handler shuffle_handler(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return &shuffle<std::uint8_t>;
    case 2:
      return &shuffle<std::uint16_t>;
    case 4:
      return &shuffle<std::uint32_t>;
    default:
      return &shuffle<std::uint64_t>;
  }
}

Handler broadcast_first_handler(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return &broadcast_first<std::uint8_t>;
    case 2:
      return &broadcast_first<std::uint16_t>;
    case 4:
      return &broadcast_first<std::uint32_t>;
    default:
      return &broadcast_first<std::uint64_t>;
  }
}

}  // namespace crosslane::machine
