// A buffer that nothing describes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/shader_jobs.hpp"
#include "crosslane/error.hpp"
#include "job/job.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::cli {

/// Of one resource.
constexpr std::uint64_t most_made_up_bytes = std::uint64_t{1} << 28U;

/// Threads of the dispatch, along x, y and z.
std::array<std::uint32_t, 3> threads_of(const ShaderFlags& flags, const spirv::Reflection& shader);

/// Fills the buffer from a seed: whole numbers below `most`, floats from 0 to 1.
void make_up_numbers(job::JobBuffer& buffer, std::uint64_t most);

/// Sized by the dispatch, filled from a seed where the shader only reads; `notes` says so. Errors: `invalid_argument`
/// for one without a size, or of more than 256 MiB.
Expected<job::JobBuffer> make_up_buffer(std::string name, const ShaderFlags& flags, const spirv::Reflection& shader,
                                        const spirv::ResourceBinding& binding, std::vector<std::string>& notes);

}  // namespace crosslane::cli
