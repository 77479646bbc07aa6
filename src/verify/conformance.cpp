#include "verify/conformance.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "kernels/kernel.hpp"
#include "verify/checks.hpp"

namespace crosslane {
namespace {

struct WaveSizeRequest {
  std::optional<std::uint32_t> requested;  ///< as in PipelineDescription
  std::uint32_t lanes;
};

/// Direct3D 12's shaders ask for a size themselves: each is a shader of its own, of which this build has some or none.
bool has_shaders(const DeviceInfo& info, std::uint32_t lanes) {
  const bool direct3d = info.shader_model[0] != 0;
  const auto variants = find_kernel(kernels(), "verify.vote.128")->dxil;
  return !direct3d || std::ranges::find(variants, lanes, &DxilShader::wave_size) != variants.end();
}

/// Every size that pipelines may ask for, or the only one there is.
std::vector<WaveSizeRequest> wave_sizes_of(const DeviceInfo& info) {
  const std::vector<WaveSizeRequest> usual = {
      {std::nullopt, std::clamp(info.wave_sizes.standard, 1U, conformance::max_lanes)}};
  if (!info.features.wave_size_control || info.wave_sizes.minimum == info.wave_sizes.maximum) {
    return usual;
  }
  std::vector<WaveSizeRequest> sizes;
  const std::uint32_t largest = std::min(info.wave_sizes.maximum, conformance::max_lanes);
  for (std::uint32_t lanes = std::max(info.wave_sizes.minimum, 1U); lanes <= largest; lanes *= 2) {
    if (has_shaders(info, lanes)) {
      sizes.push_back({lanes, lanes});
    }
  }
  return sizes.empty() ? usual : sizes;
}

}  // namespace

bool ConformanceReport::all_kept() const {
  return std::all_of(promises.begin(), promises.end(), [](const Promise& promise) { return promise.kept; });
}

Expected<ConformanceReport> verify(Device& device) {
  if (find_kernel(kernels(), "verify.vote.128") == nullptr) {
    return fail(ErrorCode::unsupported,
                "this build of Crosslane has no conformance shaders; build it with kernels/verify");
  }
  ConformanceReport report;
  const std::vector<WaveSizeRequest> sizes = wave_sizes_of(device.info());
  for (const WaveSizeRequest& size : sizes) {
    conformance::Probe probe(device, size.requested);
    conformance::Verdicts verdicts(size.lanes);
    const conformance::Session session{device.info(), size.lanes, probe, verdicts};
    conformance::check_votes(session);
    conformance::check_shuffles(session);
    conformance::check_reductions(session);
    conformance::check_divergence(session);
    conformance::check_places(session);
    if (&size == &sizes.front()) {  // groups of one thread are the same at every size
      conformance::check_progress(session);
    }
    conformance::observe_lanes(session);
    conformance::observe_denormals(session);
    if (!verdicts.has_checked("wave-size")) {
      verdicts.broken("wave-size", "no shader ran with " + std::to_string(size.lanes) +
                                       " lanes per wave: " + verdicts.promises().front().detail);
    }
    report.promises.insert(report.promises.end(), verdicts.promises().begin(), verdicts.promises().end());
    report.observations.insert(report.observations.end(), verdicts.observations().begin(),
                               verdicts.observations().end());
  }
  return report;
}

}  // namespace crosslane
