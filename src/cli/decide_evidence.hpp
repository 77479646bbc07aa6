// What the steps of a decision rest on: gathered for an algorithm of the library, or for two shaders of anybody's.
#pragma once

#include <optional>
#include <string>

#include "cli/bench_run.hpp"
#include "cli/console.hpp"
#include "cli/shader_pair.hpp"
#include "crosslane/device.hpp"
#include "measure/benchmark.hpp"
#include "measure/decision.hpp"

namespace crosslane::cli {

/// Everything about the wave size of a device: what it says, and whether it keeps its promises, which is verified where
/// nobody has yet and the device is a GPU.
measure::Evidence wave_size_evidence(Device& device, const Console& console);

/// The facts for an algorithm of the library, gain included. `benchmark` receives the measurement. Errors: those of the
/// device.
Expected<measure::DecisionFacts> gather_facts(Device& device, const measure::MeasuredAlgorithm& algorithm,
                                              const MeasureFlags& flags, const Console& console,
                                              measure::Benchmark& benchmark);

/// The same for two shaders. Errors: those of files, compilers and the device.
Expected<measure::DecisionFacts> gather_facts(Device& device, const PairFlags& pair, const MeasureFlags& flags,
                                              const Console& console, measure::Benchmark& benchmark);

}  // namespace crosslane::cli
