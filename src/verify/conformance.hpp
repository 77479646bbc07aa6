// The conformance run: no device is trusted on its word. Small shaders run every wave operation that Crosslane relies
// on, and each result is compared with a plain computation on the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crosslane/device.hpp"

namespace crosslane {

/// One thing that a device promises by offering a feature, as it was seen at one wave size.
struct Promise {
  std::string name;  ///< stable, for scripts: "wave-size", "shuffle-up", "active-sum", …
  std::string description;
  std::uint32_t wave_size = 0;  ///< lanes per wave that the device says it runs
  bool kept = true;
  /// If broken, the first difference (type, situation, wave, lane, expected, got) or the driver's error; else empty.
  std::string detail;
};

/// How a device behaves where nothing is promised. Never counts as broken.
struct Observation {
  std::string name;  ///< stable: "num-subgroups", "subgroup-id", "linear-lanes", "denormals-f32", …
  std::string description;
  std::uint32_t wave_size = 0;
  std::string value;  ///< what was seen, in a few words
};

struct ConformanceReport {
  std::vector<Promise> promises;
  std::vector<Observation> observations;

  [[nodiscard]] bool all_kept() const;
};

/// Runs the conformance shaders at every wave size that `device` offers, with 32-bit values and with the 16- and 64-bit
/// types that it has. A driver that refuses a shader or fails while it runs has broken the promises that the shader
/// checks; the run goes on. About 130 dispatches of at most 384 threads per wave size.
/// Errors: `unsupported` where this build of Crosslane lacks the conformance shaders.
Expected<ConformanceReport> verify(Device& device);

}  // namespace crosslane
