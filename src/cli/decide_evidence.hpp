// What the steps of a decision rest on: gathered for an algorithm of the library, or for two shaders of anybody's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cli/measure_flags.hpp"
#include "cli/progress.hpp"
#include "cli/shader_pair.hpp"
#include "crosslane/device.hpp"
#include "measure/benchmark.hpp"
#include "measure/decision.hpp"

namespace crosslane::cli {

/// What is known of a device's wave size.
struct WaveSizeFacts {
  measure::Evidence evidence;
  std::optional<std::uint32_t> fixed;  ///< the size that a remedy asks for
};

/// Whether a device keeps its promises, which is verified where nobody has yet and the device is a GPU, or where it
/// broke some: then `fixed` receives another size at which it keeps them, if there is one.
measure::Evidence wave_size_evidence(Device& device, Stages& stages, std::optional<std::uint32_t>& fixed);

/// What was measured for a decision.
struct DecisionMeasurement {
  measure::Benchmark benchmark;
  std::optional<std::uint32_t> wave_size;  ///< that a remedy has fixed
};

/// Stages that gathering the facts of one decision takes.
inline constexpr std::size_t stages_of_facts = 2;

/// The facts for an algorithm of the library, gain included; failed steps have tried their remedies. Errors: those of
/// the device.
Expected<measure::DecisionFacts> gather_facts(Device& device, const measure::MeasuredAlgorithm& algorithm,
                                              const MeasureFlags& flags, const WaveSizeFacts& wave_size, Stages& stages,
                                              DecisionMeasurement& measured);

/// The same for two shaders. Errors: those of files, compilers and the device.
Expected<measure::DecisionFacts> gather_facts(Device& device, const PairFlags& pair, const MeasureFlags& flags,
                                              const WaveSizeFacts& wave_size, Stages& stages,
                                              DecisionMeasurement& measured);

}  // namespace crosslane::cli
