// Two shaders of anybody's for one job: their outputs compared, then measured as an algorithm's methods are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/shader_jobs.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "measure/benchmark.hpp"
#include "measure/workload.hpp"

namespace CLI {
class App;
}

namespace crosslane::cli {

struct PairFlags {
  std::string a;  ///< the one that goes through groupshared memory, where that is what is decided
  std::string b;
  std::string job;
  std::string profile;
  std::vector<std::string> defines;
  std::vector<std::string> include_directories;

  [[nodiscard]] bool given() const { return !a.empty() || !b.empty() || !job.empty(); }
};

/// Declares --a, --b, --job, --define, --include and --profile.
void add_pair_flags(CLI::App& parser, PairFlags& flags);

/// Errors: `invalid_argument` where one of the three files is missing.
Expected<void> check_pair(const PairFlags& flags);

struct ShaderPair {
  std::shared_ptr<ShaderJob> a;
  std::shared_ptr<ShaderJob> b;
  /// Method::groupshared is A and Method::shuffle B. The fault of each is what its first run showed: results of the job
  /// that do not hold, or outputs that differ from A's.
  measure::Workload workload;
  std::vector<std::string> notes;
};

/// Compiles both, runs both once on fresh data and compares. Numbers of floats are the same within 64 ULPs. `further`
/// are macros of B beside those of the flags.
/// Errors: those of files, compilers and the device.
Expected<ShaderPair> load_shader_pair(const PairFlags& flags, Device& device, bool hot,
                                      std::optional<std::uint32_t> wave_size,
                                      const std::vector<std::string>& further = {});

/// Names the rows after the files.
void name_pair(const PairFlags& flags, measure::Benchmark& benchmark);

}  // namespace crosslane::cli
