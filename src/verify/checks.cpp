#include "verify/checks.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace crosslane::conformance {
namespace {

constexpr std::string_view lanes_run = "lanes-run";
constexpr std::string_view wave_size_kept = "wave-size";
constexpr std::string_view full_waves = "full-waves";
constexpr std::string_view lane_index = "lane-index";
constexpr std::string_view early_return = "early-return";

/// Small numbers read best in decimal, bit patterns in hexadecimal.
std::string text_of(std::uint64_t value) {
  if (value == Recording::unwritten) {
    return "nothing";
  }
  return value < 10000 ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

std::string text_of(const Lanes& lanes) {
  std::string text;
  for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
    if (lanes[lane]) {
      std::uint32_t last = lane;
      while (last + 1 < max_lanes && lanes[last + 1]) {
        ++last;
      }
      text += fmt::format("{}{}", text.empty() ? "" : ",", lane);
      text += last > lane ? fmt::format("-{}", last) : "";
      lane = last;
    }
  }
  return text.empty() ? "no lanes" : "lanes " + text;
}

void check_threads_ran(const Session& session, const Situation& situation, const Recording& recording) {
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) {
    if (!ran(recording, thread)) {
      session.verdicts.broken(lanes_run,
                              fmt::format("{}: thread {} of group {} wrote nothing", situation.text,
                                          thread % situation.group_threads, thread / situation.group_threads));
    }
  }
}

/// What one thread says of its wave's size and its own number, against the wave that it says it is in.
void check_number(const Session& session, const Situation& situation, const Recording& recording, const Wave& wave,
                  std::uint32_t thread) {
  const std::uint64_t count = recording.at(slot::lane_count, thread);
  const std::uint64_t lane = recording.at(slot::lane_index, thread);
  if (count != 0 && count != session.wave_size) {
    session.verdicts.broken(wave_size_kept, fmt::format("the driver says {} lanes, the shader is told {}",
                                                        session.wave_size, text_of(count)));
  }
  if (lane >= session.wave_size) {
    session.verdicts.broken(lane_index, fmt::format("{}: a lane of wave {} has number {}, the wave {} lanes",
                                                    situation.text, wave.number, text_of(lane), session.wave_size));
  } else if (lane >= max_lanes || wave.threads[lane] != thread) {
    session.verdicts.broken(
        lane_index, fmt::format("{}: two lanes of wave {} have number {}", situation.text, wave.number, text_of(lane)));
  }
}

/// The lanes that a ballot named to each lane of `wave` among `seers`, against the lanes that it should name.
void check_ballot(const Session& session, const Situation& situation, const Recording& recording, const Wave& wave,
                  const Lanes& seers, const Lanes& expected, std::uint32_t ballot_slot, std::string_view promise) {
  for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
    if (!seers[lane]) {
      continue;
    }
    const Lanes named = lanes_at(recording, ballot_slot, *wave.threads[lane]);
    if (named != expected) {
      session.verdicts.broken(
          promise, fmt::format("{}: wave {}, lane {}: the ballot names {}, there are {}", situation.text, wave.number,
                               lane, text_of(named), text_of(expected)));
    }
  }
}

void check_fullness(const Session& session, const Situation& situation, const std::vector<Wave>& waves) {
  std::size_t fullest = 0;
  for (const Wave& wave : waves) {
    const std::size_t lanes = wave.present().count();
    fullest = std::max(fullest, lanes);
    if (session.info.features.full_waves && lanes != session.wave_size) {
      session.verdicts.broken(full_waves, fmt::format("{} threads per group: wave {} has {} lanes, not {}",
                                                      situation.group_threads, wave.number, lanes, session.wave_size));
    }
  }
  if (fullest != session.wave_size) {
    session.verdicts.broken(wave_size_kept, fmt::format("{} threads per group: the fullest wave has {} lanes, not {}",
                                                        situation.group_threads, fullest, session.wave_size));
  }
}

void check_lanes(const Session& session, const Situation& situation, const Inputs& inputs, const Recording& recording) {
  check_threads_ran(session, situation, recording);
  const std::vector<Wave> waves = find_waves(recording);
  if (situation.group_threads % session.wave_size == 0) {
    check_fullness(session, situation, waves);
  }
  for (std::uint32_t thread = 0; thread < recording.threads(); ++thread) {
    const auto wave = std::find_if(waves.begin(), waves.end(), [&](const Wave& candidate) {
      return candidate.first_thread == recording.at(slot::first_thread, thread);
    });
    if (ran(recording, thread) && wave != waves.end()) {
      check_number(session, situation, recording, *wave, thread);
    }
  }
  for (const Wave& wave : waves) {
    const Lanes callers = wave.callers(inputs.callers);
    check_ballot(session, situation, recording, wave, wave.present(), wave.present(), slot::present, lane_index);
    check_ballot(session, situation, recording, wave, callers, callers, slot::active, early_return);
  }
}

}  // namespace

Inputs make_inputs(const Situation& situation) {
  Inputs inputs{.groups = probe_groups, .group_threads = situation.group_threads};
  inputs.values.assign(inputs.threads(), 0);
  inputs.callers.assign(inputs.threads(), 1);
  if (situation.early_return) {
    for (std::uint32_t thread = 0; thread < inputs.threads(); ++thread) {
      inputs.callers[thread] = hash(thread) % 3 == 0 ? 0 : 1;
    }
  }
  return inputs;
}

std::uint64_t hash(std::uint64_t index) {
  // SplitMix64's finaliser: every input bit changes about half of the output bits.
  std::uint64_t x = (index + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::optional<Recording> run_checked(const Session& session, const std::string& name, const Inputs& inputs,
                                     std::uint32_t slots, const std::vector<std::string_view>& promises) {
  auto recording = session.probe.run(name, inputs, slots);
  for (const std::string_view promise : promises) {
    session.verdicts.checked(promise);
    if (!recording) {
      const Error& error = recording.error();
      session.verdicts.broken(promise, fmt::format("{}: {}", error.message, fmt::join(error.reasons, ": ")));
    }
  }
  if (!recording) {
    return std::nullopt;
  }
  return std::move(*recording);
}

std::optional<Recording> run_situation(const Session& session, const std::string& name, const Situation& situation,
                                       const Inputs& inputs, std::uint32_t slots,
                                       const std::vector<std::string_view>& promises) {
  auto recording = run_checked(session, fmt::format("{}.{}", name, situation.group_threads), inputs, slots, promises);
  if (recording) {
    for (const std::string_view promise : {lanes_run, wave_size_kept, lane_index, early_return}) {
      session.verdicts.checked(promise);
    }
    if (session.info.features.full_waves) {
      session.verdicts.checked(full_waves);
    }
    check_lanes(session, situation, inputs, *recording);
  }
  return recording;
}

void compare(const Session& session, const Comparison& comparison) {
  if (comparison.expected == comparison.got) {
    return;
  }
  session.verdicts.broken(comparison.promise,
                          fmt::format("{}{}{}{}{}: wave {}, lane {}: expected {}, got {}", comparison.type,
                                      comparison.type.empty() ? "" : ", ", comparison.situation,
                                      comparison.note.empty() ? "" : ", ", comparison.note, comparison.wave,
                                      comparison.lane, text_of(comparison.expected), text_of(comparison.got)));
}

}  // namespace crosslane::conformance
