// Jobs from the pipeline YAML of LLVM's offload test suite.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crosslane/error.hpp"
#include "job/job.hpp"

namespace crosslane::job {

/// Reads a job. `file` stands in messages, `first_line` is the text's first line there. What devices here lack
/// (multisampled textures, graphics, ray tracing) makes no error: it is listed in `Job::lacks`. Errors: `invalid_input`
/// with line and field for unknown fields, missing ones, values that make no sense, and names that mean nothing.
Expected<Job> read_job(std::string_view yaml, const std::string& file, std::uint32_t first_line = 1);

}  // namespace crosslane::job
