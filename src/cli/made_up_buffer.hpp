// A buffer that nothing describes.
#pragma once

#include <string>
#include <vector>

#include "cli/shader_jobs.hpp"
#include "crosslane/error.hpp"
#include "job/job.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::cli {

/// Sized by the dispatch, filled from a seed where the shader only reads; `notes` says so. Errors: `invalid_argument`
/// for one without a size, or of more than 256 MiB.
Expected<job::JobBuffer> make_up_buffer(std::string name, const ShaderFlags& flags, const spirv::Reflection& shader,
                                        const spirv::ResourceBinding& binding, std::vector<std::string>& notes);

}  // namespace crosslane::cli
