// What devices do where nothing is promised: worth knowing, never wrong.
#include <fmt/format.h>

#include "verify/checks.hpp"

namespace crosslane::conformance {
namespace {

void observe_denormal(const Session& session, const ElementType& type) {
  Inputs inputs{.groups = 1, .group_threads = 4};
  constexpr std::uint64_t denormal = 0x23;  // of each width; twice as much is a denormal too
  inputs.values.assign(inputs.threads(), denormal);
  inputs.callers.assign(inputs.threads(), 1);
  const auto recording = session.probe.run(fmt::format("verify.denormal.{}", type.name), inputs, 6);
  std::string seen = "not seen: " + (recording ? std::string() : recording.error().message);
  if (recording) {
    const std::uint64_t sum = recording->at(5, 0);
    seen = sum == 2 * denormal ? "kept" : (sum == 0 ? "flushed to zero" : fmt::format("changed to {:#x}", sum));
  }
  session.verdicts.observed(fmt::format("denormals-{}", type.name), seen);
}

}  // namespace

void observe_lanes(const Session& session) {
  const Situation& situation = all_situations.front();
  constexpr std::uint32_t slots = 64;  // more than the shader records; only where threads are is of interest
  const auto recording = session.probe.run("verify.divergence.128", make_inputs(situation), slots);
  if (!recording) {
    return;
  }
  bool linear = true;
  bool full = true;
  for (const Wave& wave : find_waves(*recording)) {
    full = full && wave.present().count() == session.wave_size;
    for (std::uint32_t lane = 0; lane < max_lanes; ++lane) {
      linear = linear && (!wave.threads[lane] || *wave.threads[lane] == wave.first_thread + lane);
    }
  }
  session.verdicts.observed("linear-lanes", linear ? "yes" : "no");
  if (!session.info.features.full_waves) {
    session.verdicts.observed("full-waves", full ? "yes" : "no");
  }
}

void observe_denormals(const Session& session) {
  for (const ElementType& type : all_element_types) {
    if (type.kind == ElementKind::floating && has_type(session.info.features, type)) {
      observe_denormal(session, type);
    }
  }
}

}  // namespace crosslane::conformance
