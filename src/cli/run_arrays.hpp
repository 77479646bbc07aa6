// Arrays for `crosslane run`: what --in, --out and --size mean, by a buffer's name or by its binding.
#pragma once

#include <string>
#include <vector>

#include "cli/run_job.hpp"
#include "crosslane/error.hpp"
#include "job/job.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::cli {

/// The job of a shader for which there is no file: one buffer for each of its bindings, filled by --in, or of zeros of
/// the size that --size or the shader itself says. Errors: `invalid_argument` for names that mean no binding, arrays of
/// another type than the shader's, and buffers without a size, which are made up where the flags say so: `notes` tells.
Expected<job::Job> job_of_arrays(const ShaderFlags& flags, const spirv::Reflection& shader,
                                 std::vector<std::string>& notes);

/// Puts the arrays of --in into the buffers of a job that a file describes. Errors: `invalid_argument` for names that
/// mean no buffer, and for arrays of another type than the buffer's.
Expected<void> take_inputs(const ShaderFlags& flags, const spirv::Reflection& shader, bool registers, job::Job& job);

/// Writes the buffers that --out names, all or none. Errors: `invalid_argument` for names that mean no buffer, and for
/// files that cannot be written.
Expected<std::vector<WrittenFile>> write_outputs(const RunFlags& flags, const spirv::Reflection& shader, bool registers,
                                                 const job::Job& job);

}  // namespace crosslane::cli
