#include "measure/decision.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "measure/rounds.hpp"

namespace crosslane::measure {
namespace {

struct StepText {
  std::string_view name;
  Evidence DecisionFacts::*evidence;
  std::string_view why;      // it has to pass
  std::string_view unknown;  // what follows where it cannot be told
};

constexpr std::array step_texts = {
    StepText{"wave-size", &DecisionFacts::wave_size,
             "shuffles reach the lanes of one wave, so its size has to be known where the shader runs",
             "the shader's results speak for it, which are verified"},
    StepText{"registers", &DecisionFacts::registers,
             "shuffles keep in registers what would lie in groupshared memory; spilled ones are slow memory",
             "the measured time decides, which spills make longer"},
    StepText{"lane-reads", &DecisionFacts::lane_reads,
             "what a read of a lane gives that is not there is undefined, and other drivers give other values",
             "nothing is known against it; 'crosslane check' finds out"},
    StepText{"compiler", &DecisionFacts::compiler, "compilers with known faults make other shaders of right ones",
             "the results speak for it, which are verified"},
    StepText{"results", &DecisionFacts::results, "methods are interchangeable only where they give the same results",
             "nothing could be compared"},
};

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100.0 * fraction); }

DecisionStep step_of(const StepText& text, const Evidence& evidence) {
  DecisionStep step{std::string(text.name), evidence.passed, evidence.found, std::string(text.why)};
  if (!evidence.passed) {
    step.reason = fmt::format("could not be told here: {}", text.unknown);
  } else if (!*evidence.passed && evidence.mended) {
    step.passed = evidence.mended;
    step.reason = fmt::format("{}; {}", text.why, evidence.remedy);
  } else if (!*evidence.passed && !evidence.remedy.empty()) {
    step.reason = fmt::format("{}; {}", text.why, evidence.remedy);
  }
  return step;
}

std::string interval_text(const Estimate& gain) {
  return fmt::format("{} ({} to {})", percent(gain.median), percent(gain.interval.low), percent(gain.interval.high));
}

// The step of the gain, and the answer where all steps before have passed.
DecisionStep judge_gain(const DecisionFacts& facts, Answer& answer) {
  DecisionStep step{"gain", std::nullopt, "not measured",
                    fmt::format("nothing speaks for either: '{}', the default, is used", facts.default_method)};
  answer = Answer::ambiguous;
  if (!facts.gain) {
    return step;
  }
  const Estimate& gain = *facts.gain;
  const std::string threshold = percent(facts.threshold);
  step.found = interval_text(gain);
  if (gain.interval.low >= facts.threshold) {
    answer = Answer::shuffle;
    step.passed = true;
    step.reason = fmt::format("the whole interval is at or above the threshold of {}", threshold);
  } else if (gain.interval.high < facts.threshold) {
    answer = Answer::groupshared;
    step.passed = false;
    step.reason = fmt::format("the whole interval is below the threshold of {}", threshold);
  } else {
    const double more = rounds_to_settle(gain, facts.threshold);
    step.reason = fmt::format("the interval lies on both sides of the threshold of {}: '{}', the default, is used; {}",
                              threshold, facts.default_method,
                              std::isfinite(more) && more < 1e4
                                  ? fmt::format("about {:.0f} rounds in place of {} would settle it",
                                                more * static_cast<double>(facts.rounds), facts.rounds)
                                  : std::string("it is so near that no reasonable number of rounds would settle it"));
  }
  return step;
}

}  // namespace

std::string_view name(Answer answer) {
  switch (answer) {
    case Answer::shuffle:
      return "shuffle";
    case Answer::groupshared:
      return "groupshared";
    default:
      return "ambiguous";
  }
}

Decision decide(const DecisionFacts& facts) {
  Decision decision;
  decision.gain = facts.gain;
  decision.threshold = facts.threshold;
  const DecisionStep* failed = nullptr;
  decision.steps.reserve(step_texts.size() + 1);
  for (const StepText& text : step_texts) {
    decision.steps.push_back(step_of(text, facts.*text.evidence));
    if (failed == nullptr && decision.steps.back().passed == std::optional(false)) {
      failed = &decision.steps.back();
    }
  }
  Answer by_gain = Answer::ambiguous;
  decision.steps.push_back(judge_gain(facts, by_gain));
  if (failed != nullptr) {
    decision.answer = Answer::groupshared;
    decision.reason = fmt::format("the step '{}' fails: {}", failed->name, failed->found);
    return decision;
  }
  decision.answer = by_gain;
  decision.reason = fmt::format("all steps before are passed or could not be told; gain: {}; {}",
                                decision.steps.back().found, decision.steps.back().reason);
  return decision;
}

}  // namespace crosslane::measure
