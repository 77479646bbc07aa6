#include "sanitize/no_progress.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "machine/group.hpp"

namespace crosslane::sanitize {
namespace {

constexpr std::string_view id = "no-progress";

}  // namespace

void NoProgress::on_no_progress(const machine::Group& group, std::uint64_t iterations) {
  const auto spinning = std::ranges::find(group.waves, machine::WaveState::yielded, &machine::Wave::state);
  if (spinning == group.waves.end()) {
    return;
  }
  const FindingKey key{std::string(id), spinning->next->source, 0, 0};
  if (reporter_.is_known(key)) {
    return;
  }
  auto finding = finding_at(*spinning, spinning->active, std::string(id), Severity::error);
  finding.message = fmt::format("Wave {} of thread group ({}, {}, {}) goes round a loop{}.", spinning->index,
                                group.id[0], group.id[1], group.id[2],
                                iterations == 0 ? " in which nothing changes any more"
                                                : ", and no thread group ends in as many iterations as are allowed");
  finding.locations = {reporter_.location(spinning->next->source, "goes round here")};
  finding.hint =
      "Wait only for thread groups that have certainly begun: number the groups by an atomic instead of "
      "{SV_GroupID|gl_WorkGroupID}, and do not let lanes of a wave wait for each other.";
  if (iterations != 0) {
    finding.hint += " If the loop ends after more iterations, allow them (--iterations).";
  }
  reporter_.add(key, std::move(finding));
}

}  // namespace crosslane::sanitize
