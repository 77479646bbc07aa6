// Which lanes are together inside and after branches and loops, against the way that each thread was told to go.
#include <fmt/format.h>
#include <string>

#include "verify/checks.hpp"

namespace crosslane::conformance {
namespace {

constexpr std::uint32_t loop_trips = 7;  // most trips of the loop in divergence.hlsl
constexpr std::uint32_t exit_trips = 8;  // trips of the loop in early_exit.hlsl

/// What differs first, told to `report` as it is found.
template <typename Report>
class WaveView {
 public:
  WaveView(const Wave& wave, const Inputs& inputs, const Recording& recording, Report report)
      : wave_(wave), inputs_(inputs), recording_(recording), report_(report), active_(wave.callers(inputs.callers)) {}

  /// The active lanes whose way satisfies `condition`.
  template <typename Condition>
  [[nodiscard]] Lanes where(Condition condition) const {
    Lanes lanes;
    for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
      lanes[lane] = active_[lane] && condition(inputs_.values[*wave_.threads[lane]]);
    }
    return lanes;
  }
  [[nodiscard]] const Lanes& active() const { return active_; }

  /// Each lane of `lanes` recorded `lanes` as its ballot.
  void expect_together(const Lanes& lanes, std::uint32_t slot, const std::string& place) const {
    constexpr Lanes low_word(~std::uint64_t{0});
    expect(lanes, slot, (lanes & low_word).to_ullong(), place);
    expect(lanes, slot + 1, (lanes >> 64U).to_ullong(), place);
  }

  void expect(const Lanes& lanes, std::uint32_t slot, std::uint64_t expected, const std::string& place) const {
    for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
      if (lanes[lane]) {
        report_(wave_, lane, expected, recording_.at(slot, *wave_.threads[lane]), place);
      }
    }
  }

 private:
  const Wave& wave_;
  const Inputs& inputs_;
  const Recording& recording_;
  Report report_;
  Lanes active_;
};

template <typename View>
void check_branches_and_loop(const View& view) {
  const Lanes taken = view.where([](std::uint64_t way) { return (way & 1U) != 0; });
  view.expect_together(taken, slot::own, "inside if");
  view.expect_together(view.active() & ~taken, slot::own, "inside else");
  view.expect_together(view.active(), slot::own + 2, "after if and else");

  const std::uint32_t loop = slot::own + 4;
  for (std::uint32_t trip = 0; trip < loop_trips; ++trip) {
    const Lanes looping = view.where([trip](std::uint64_t way) { return ((way >> 1U) & 7U) > trip; });
    view.expect_together(looping, loop + trip * 3, fmt::format("trip {} of a loop", trip));
    view.expect(looping, loop + trip * 3 + 2, looping.count() * (trip + 1),
                fmt::format("sum in trip {} of a loop", trip));
  }
  view.expect_together(view.active(), loop + loop_trips * 3, "after a loop");

  const std::uint32_t nested = loop + loop_trips * 3 + 2;
  const Lanes outer = view.where([](std::uint64_t way) { return (way & 16U) != 0; });
  const Lanes inner = view.where([](std::uint64_t way) { return (way & 48U) == 48; });
  const std::uint64_t after_inner = outer.count() * 10000;
  view.expect(inner, nested, after_inner + inner.count(), "if inside if");
  view.expect(outer & ~inner, nested, after_inner + (outer & ~inner).count() + 1000, "else inside if");
  view.expect_together(view.active(), nested + 1, "after nested branches");
}

template <typename View>
void check_early_exit(const View& view) {
  for (std::uint32_t trip = 0; trip < exit_trips; ++trip) {
    const std::uint32_t slot = slot::own + trip * 4;
    const Lanes leaving = view.where([trip](std::uint64_t way) { return ((way >> 1U) & 7U) == trip; });
    const Lanes staying =
        view.where([trip](std::uint64_t way) { return ((way >> 1U) & 7U) > trip && ((way >> (8U + trip)) & 1U) == 0; });
    view.expect_together(leaving, slot, fmt::format("before break in trip {}", trip));
    view.expect_together(staying, slot + 2, fmt::format("after break and continue in trip {}", trip));
  }
  view.expect_together(view.active(), slot::own + exit_trips * 4, "after a loop with break and continue");
}

Inputs make_ways(const Situation& situation) {
  Inputs inputs = make_inputs(situation);
  for (std::uint32_t thread = 0; thread < inputs.threads(); ++thread) {
    inputs.values[thread] = hash(thread + 5000) & 0xFFFFFFFFU;
  }
  return inputs;
}

/// Runs one of the two kernels in all situations and hands each wave to `check`.
template <typename Check>
void check_kernel(const Session& session, const std::string& kernel, std::string_view promise, std::uint32_t slots,
                  Check check) {
  for (const Situation& situation : all_situations) {
    const Inputs inputs = make_ways(situation);
    const auto recording = run_situation(session, kernel, situation, inputs, slots, {promise});
    if (!recording) {
      continue;
    }
    for (const Wave& wave : find_waves(*recording)) {
      const auto report = [&](const Wave& where, std::uint32_t lane, std::uint64_t expected, std::uint64_t got,
                              const std::string& place) {
        compare(session, {.promise = promise,
                          .type = {},
                          .situation = situation.text,
                          .wave = where.number,
                          .lane = lane,
                          .expected = expected,
                          .got = got,
                          .note = place});
      };
      check(WaveView(wave, inputs, *recording, report));
    }
  }
}

}  // namespace

void check_divergence(const Session& session) {
  if (session.info.features.wave_arithmetic) {
    check_kernel(session, "verify.divergence", "reconvergence", slot::own + 4 + loop_trips * 3 + 2 + 3,
                 [](const auto& view) { check_branches_and_loop(view); });
  }
  constexpr std::uint32_t exit_slots = slot::own + exit_trips * 4 + 2;
  const auto check_exit = [](const auto& view) { check_early_exit(view); };
  if (session.info.features.maximal_reconvergence) {
    check_kernel(session, "verify.early_exit", "early-exit", exit_slots, check_exit);
    return;
  }
  // Nothing is promised: the same check with verdicts of its own, of which only the outcome is told.
  Verdicts unpromised(session.wave_size);
  check_kernel({session.info, session.wave_size, session.probe, unpromised}, "verify.early_exit", "early-exit",
               exit_slots, check_exit);
  for (const Promise& promise : unpromised.promises()) {
    if (promise.name == "early-exit") {
      session.verdicts.observed("early-exit", promise.kept ? "as in the source" : promise.detail);
    }
  }
}

}  // namespace crosslane::conformance
