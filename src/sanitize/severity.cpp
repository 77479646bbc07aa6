#include "sanitize/severity.hpp"

#include <array>

namespace crosslane::sanitize {
namespace {

struct Row {
  Relation relation;
  Severity d3d12;
  Severity vulkan;
};

// HLSL has no barrier of a wave, and its documentation lets the lanes of a wave rely on lockstep.
constexpr std::array table = {
    Row{Relation::same_instruction, Severity::error, Severity::error},
    Row{Relation::same_wave, Severity::warning, Severity::error},
    Row{Relation::other_wave, Severity::error, Severity::error},
    Row{Relation::other_group, Severity::error, Severity::error},
};

}  // namespace

Severity race_severity(Rules rules, Relation relation, bool same_value) {
  if (same_value) {
    return Severity::note;
  }
  const auto& row = table.at(static_cast<std::size_t>(relation));
  return rules == Rules::d3d12 ? row.d3d12 : row.vulkan;
}

}  // namespace crosslane::sanitize
