// A typed buffer, a texture or a sampler that nothing describes.
#pragma once

#include <string>
#include <vector>

#include "cli/shader_jobs.hpp"
#include "crosslane/error.hpp"
#include "job/job.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::cli {

/// A texel for each thread of the dispatch, along its dimensions; filled as `make_up_buffer` does. Of a sampler only
/// the name counts. Errors: `invalid_argument` for multisampled images and for what is no such resource.
Expected<job::JobBuffer> make_up_texels(std::string name, const ShaderFlags& flags, const spirv::Reflection& shader,
                                        const spirv::ResourceBinding& binding, std::vector<std::string>& notes);

}  // namespace crosslane::cli
