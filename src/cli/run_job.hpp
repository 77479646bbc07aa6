// The work behind `crosslane run`: a shader and its job, from files and flags, run on a device.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/shader_jobs.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/machine.hpp"
#include "job/execute.hpp"
#include "job/job.hpp"
#include "job/shader.hpp"

namespace crosslane::cli {

struct RunFlags : ShaderFlags {
  std::string device = "auto";
  std::vector<std::string> outputs;  ///< NAME=FILE.npy
  bool counters = false;             ///< count what the shader does
  std::uint64_t iterations = machine::default_iterations;
};

struct WrittenFile {
  std::string buffer;
  std::string file;
  job::Format format = job::Format::hex8;
  std::uint64_t count = 0;  ///< numbers
};

/// One shader that ran with one job.
struct RunOutcome {
  std::string entry_point;
  job::Job job;  ///< its buffers hold what the shader left there
  job::Execution execution;
  std::vector<WrittenFile> written;
};

struct RunReport {
  DeviceInfo device;
  std::vector<RunOutcome> runs;
  std::vector<std::string> notes;      ///< what was left out, and warnings of the compiler
  std::optional<std::string> skipped;  ///< why nothing ran

  [[nodiscard]] bool all_hold() const;
};

/// Opens the device when the files have been read, so that their errors come first.
using OpenDevice = std::function<Expected<std::unique_ptr<Device>>()>;

/// Reads the files, compiles, runs, writes the outputs. Errors: those of all that.
Expected<RunReport> run_shader(const RunFlags& flags, const OpenDevice& open_device,
                               const job::FindCompiler& find_compiler);

}  // namespace crosslane::cli
