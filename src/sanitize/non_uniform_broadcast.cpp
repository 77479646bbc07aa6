#include "sanitize/non_uniform_broadcast.hpp"

#include <utility>

#include <fmt/format.h>

#include "machine/wave.hpp"

namespace crosslane::sanitize {
namespace {

constexpr std::string_view id = "non-uniform-broadcast";

}  // namespace

void NonUniformBroadcast::on_cross_lane(const machine::Wave& wave, const machine::OpSource& source,
                                        const machine::CrossLaneEvent& event) {
  if (source.opcode != spv::Op::OpGroupNonUniformBroadcast) {
    return;
  }
  const auto first = event.source_lanes[wave.active.first()];
  machine::Mask others;
  machine::for_each_lane(wave.active, [&](std::uint32_t lane) {
    if (event.source_lanes[lane] != first) {
      others = others | (machine::first_lanes(lane + 1) - machine::first_lanes(lane));
    }
  });
  const FindingKey key{std::string(id), reporter_.number_of(source), 0, 0};
  if (!others.any() || reporter_.is_known(key)) {
    return;
  }
  auto finding = finding_at(wave, others, std::string(id), Severity::error);
  finding.message = fmt::format("A broadcast reads lane {} in lane {} of wave {} and lane {} in lane {}.", first,
                                wave.active.first(), wave.index, event.source_lanes[others.first()], others.first());
  finding.locations = {reporter_.location(reporter_.number_of(source), "broadcasts")};
  finding.hint = "Use a shuffle where lanes read different lanes.";
  reporter_.add(key, std::move(finding));
}

}  // namespace crosslane::sanitize
