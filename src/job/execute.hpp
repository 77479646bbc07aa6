// Runs a job on a device.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "job/compare.hpp"
#include "job/fit.hpp"
#include "job/job.hpp"
#include "job/shader.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::job {

struct ResultVerdict {
  ExpectedResult result;
  Verdict verdict;
};

struct Execution {
  std::uint32_t wave_size = 0;  ///< lanes per wave that the pipeline was made for
  std::array<std::uint32_t, 3> group_size{};
  std::vector<ResultVerdict> verdicts;  ///< one for each of the job's results
  std::vector<std::string> notes;

  [[nodiscard]] bool all_hold() const;
};

struct ExecuteOptions {
  /// Lanes per wave to ask for; nothing: what the shader asks for, else the device's standard size.
  std::optional<std::uint32_t> wave_size = {};
};

/// Runs the job once and judges its results. Each resource gets its own copy of its buffer's data; afterwards the
/// buffers of writable resources hold what the shader left there. Errors: those of bind() and of the device, and
/// `invalid_input` for two writable resources of one buffer and for push constants that the shader has no room for.
Expected<Execution> execute(Device& device, const Shader& shader, Job& job, const ExecuteOptions& options = {});

}  // namespace crosslane::job
