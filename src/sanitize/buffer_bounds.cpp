#include "sanitize/buffer_bounds.hpp"

#include <utility>

#include <fmt/format.h>

#include "machine/group.hpp"
#include "sanitize/race_finding.hpp"

namespace crosslane::sanitize {
namespace {

constexpr std::string_view id = "buffer-out-of-bounds";

}  // namespace

void BufferBounds::on_access(const machine::Wave& wave, const machine::OpSource& source,
                             const machine::MemoryEvent& event) {
  const auto& plan = event.plan;
  // Direct3D drops such reads and writes of buffers, and defines no such access to groupshared memory. Both drop writes
  // outside of images and typed buffers.
  if (plan.physical || plan.opcode == spv::Op::OpImageWrite ||
      (plan.kind == machine::AccessKind::read && reporter_.rules() == Rules::vulkan)) {
    return;
  }
  const auto reach = machine::bytes_reached(plan);
  if (event.shape.rooted && event.shape.highest + reach <= wave.group->roots[event.shape.root].bytes) {
    return;
  }
  machine::Mask outside;
  machine::for_each_lane(wave.active, [&](std::uint32_t lane) {
    const auto address = event.lanes[lane];
    if (address.root < wave.group->roots.size() && address.offset + reach > wave.group->roots[address.root].bytes) {
      outside = outside | (machine::first_lanes(lane + 1) - machine::first_lanes(lane));
    }
  });
  if (!outside.any()) {
    return;
  }
  const auto address = event.lanes[outside.first()];
  const bool groupshared = address.root == machine::groupshared_root;
  const FindingKey key{std::string(id), reporter_.number_of(source), 0, 1};
  if (reporter_.is_known(key)) {
    return;
  }
  const auto severity = reporter_.rules() == Rules::d3d12 && !groupshared ? Severity::note : Severity::error;
  auto finding = finding_at(wave, outside, std::string(id), severity);
  const auto what = access_name(plan.kind, reporter_.memory_name(address));
  finding.message = fmt::format("{} {} outside of its {} bytes{}.", lane_name(wave, outside.first()), what,
                                wave.group->roots[address.root].bytes,
                                severity == Severity::note ? ", which Direct3D defines and Vulkan does not" : "");
  finding.locations = {reporter_.location(reporter_.number_of(source), what)};
  finding.values = {reporter_.place_name(wave, address)};
  reporter_.add_size_note(finding, address.root);
  finding.hint = "Compare the index with the buffer's length before the access.";
  reporter_.add(key, std::move(finding));
}

}  // namespace crosslane::sanitize
