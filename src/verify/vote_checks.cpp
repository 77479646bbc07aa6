// Ballots, votes, counts and the first lane against the predicates that the host chose.
#include <fmt/format.h>

#include "verify/checks.hpp"

namespace crosslane::conformance {
namespace {

constexpr std::uint32_t predicates = 8;
constexpr std::uint32_t slots_per_predicate = 6;

/// Predicate `bit` of a thread is bit `bit` of its value: never, always, in one lane of 16, in all but one, and at
/// random.
std::uint64_t make_value(std::uint32_t thread) {
  const std::uint64_t one_lane = thread % 16 == 9 ? 1 : 0;
  return (hash(thread) & 0xFFFFF0F0U) | 2U | (one_lane << 2U) | ((1 - one_lane) << 3U);
}

class VoteCheck {
 public:
  VoteCheck(const Session& session, const Situation& situation, const Inputs& inputs, const Recording& recording)
      : session_(session), situation_(situation), inputs_(inputs), recording_(recording) {}

  void check(const Wave& wave) const {
    const Lanes active = wave.callers(inputs_.callers);
    check_first_lane(wave, active);
    for (std::uint32_t bit = 0; bit < predicates; ++bit) {
      Lanes holds;
      for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
        holds[lane] = active[lane] && ((inputs_.values[*wave.threads[lane]] >> bit) & 1U) != 0;
      }
      check_predicate(wave, active, holds, slot::own + 2 + bit * slots_per_predicate);
    }
  }

 private:
  void check_first_lane(const Wave& wave, const Lanes& active) const {
    std::uint32_t first = 0;
    while (first < max_lanes && !active[first]) {
      ++first;
    }
    for (std::uint32_t lane = first; lane < max_lanes; ++lane) {
      if (active[lane]) {
        expect(wave, lane, "first-lane", slot::own, lane == first ? 1 : 0);
        expect(wave, lane, "first-lane", slot::own + 1, inputs_.values[*wave.threads[first]] & 0xFFFFFFFFU);
      }
    }
  }

  void check_predicate(const Wave& wave, const Lanes& active, const Lanes& holds, std::uint32_t slot) const {
    constexpr Lanes low_word(~std::uint64_t{0});
    std::uint64_t before = 0;
    for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
      if (active[lane]) {
        expect(wave, lane, "ballot", slot, (holds & low_word).to_ullong());
        expect(wave, lane, "ballot", slot + 1, (holds >> 64U).to_ullong());
        expect(wave, lane, "any-true", slot + 2, holds.any() ? 1 : 0);
        expect(wave, lane, "all-true", slot + 3, holds == active ? 1 : 0);
        expect(wave, lane, "count-bits", slot + 4, holds.count());
        expect(wave, lane, "prefix-count-bits", slot + 5, before);
        before += holds[lane] ? 1 : 0;
      }
    }
  }

  void expect(const Wave& wave, std::uint32_t lane, std::string_view promise, std::uint32_t slot,
              std::uint64_t expected) const {
    compare(session_, {.promise = promise,
                       .type = {},
                       .situation = situation_.text,
                       .wave = wave.number,
                       .lane = lane,
                       .expected = expected,
                       .got = recording_.at(slot, *wave.threads[lane])});
  }

  const Session& session_;
  const Situation& situation_;
  const Inputs& inputs_;
  const Recording& recording_;
};

}  // namespace

void check_votes(const Session& session) {
  for (const Situation& situation : all_situations) {
    Inputs inputs = make_inputs(situation);
    for (std::uint32_t thread = 0; thread < inputs.threads(); ++thread) {
      inputs.values[thread] = make_value(thread);
    }
    const auto recording =
        run_situation(session, "verify.vote", situation, inputs, slot::own + 2 + predicates * slots_per_predicate,
                      {"first-lane", "ballot", "any-true", "all-true", "count-bits", "prefix-count-bits"});
    if (recording) {
      const VoteCheck check(session, situation, inputs, *recording);
      for (const Wave& wave : find_waves(*recording)) {
        check.check(wave);
      }
    }
  }
}

}  // namespace crosslane::conformance
