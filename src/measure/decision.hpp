// Whether a shader should exchange values by shuffles or through groupshared memory: the steps of a decision, each with
// what was found and why it counts. Nothing here measures; it judges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/statistics.hpp"

namespace crosslane::measure {

enum class Answer : std::uint8_t { shuffle, groupshared, ambiguous };

/// "shuffle", "groupshared" or "ambiguous".
std::string_view name(Answer answer);

/// What was found for a step.
struct Evidence {
  std::optional<bool> passed = {};  ///< nothing: it could not be told here
  std::string found;
  /// Where it did not pass: whether the remedy helped; nothing where there was none to try.
  std::optional<bool> mended = {};
  std::string remedy;  ///< what was tried, and what came of it
};

/// What is known of a pair of methods on a device, in the order of the steps.
struct DecisionFacts {
  Evidence wave_size;   ///< known, and what the kernels run with
  Evidence registers;   ///< within budget and without spills
  Evidence lane_reads;  ///< none of a lane that is not there
  Evidence compiler;    ///< fit
  Evidence results;     ///< the same by both methods
  /// How much faster shuffles are, 0.2 for 20 %; nothing where it could not be measured.
  std::optional<Estimate> gain = {};
  std::size_t rounds = 0;  ///< that the gain was measured in
  double threshold = 0.2;
  std::string default_method;  ///< that takes the place of an ambiguous answer
};

struct DecisionStep {
  std::string name;  ///< "wave-size", "registers", "lane-reads", "compiler", "results", "gain"
  std::optional<bool> passed = {};
  std::string found;
  std::string reason;
};

struct Decision {
  Answer answer = Answer::groupshared;
  std::string reason;  ///< one sentence
  std::vector<DecisionStep> steps;
  std::optional<Estimate> gain = {};
  double threshold = 0.2;
};

/// Walks the steps. Groupshared memory where one of them has failed and no remedy helped, or the gain is below the
/// threshold; shuffles where the gain's whole interval is at or above it; ambiguous where it lies on both sides, or was
/// not measured. What could not be told counts for neither.
Decision decide(const DecisionFacts& facts);

}  // namespace crosslane::measure
