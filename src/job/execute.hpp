// Runs a job on a device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
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

/// A job on a device, ready to be recorded as often as needed; each run finds what the one before has left. Borrows the
/// device, the shader and the job.
class PreparedJob {
 public:
  /// Each resource gets its own copy of its buffer's data. Errors: as execute().
  static Expected<PreparedJob> create(Device& device, const Shader& shader, const Job& job,
                                      const ExecuteOptions& options = {});

  PreparedJob(PreparedJob&&) noexcept;
  PreparedJob& operator=(PreparedJob&&) noexcept;
  ~PreparedJob();

  Expected<void> record(CommandList& list) const;
  /// Brings what writable resources hold to the buffers of `job`, the same or a copy of it. Gives notes, of hidden
  /// counters.
  Expected<std::vector<std::string>> read_back(Job& job) const;

  [[nodiscard]] const Pipeline& pipeline() const;
  [[nodiscard]] const std::vector<std::string>& notes() const;  ///< of binding
  [[nodiscard]] std::uint64_t bytes() const;                    ///< of all buffers

 private:
  struct Parts;
  explicit PreparedJob(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// Runs the job once and judges its results. Each resource gets its own copy of its buffer's data; afterwards the
/// buffers of writable resources hold what the shader left there. Errors: those of bind() and of the device, and
/// `invalid_input` for two writable resources of one buffer and for push constants that the shader has no room for.
Expected<Execution> execute(Device& device, const Shader& shader, Job& job, const ExecuteOptions& options = {});

}  // namespace crosslane::job
