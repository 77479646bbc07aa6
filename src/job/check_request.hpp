// A job as the wave machine's checker takes it.
#pragma once

#include <string>
#include <vector>

#include "crosslane/check.hpp"
#include "crosslane/error.hpp"
#include "job/job.hpp"
#include "job/shader.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::job {

/// What users say of outputs, by the name of the job's buffer or the shader's.
struct OutputFlags {
  std::vector<std::string> unordered;
  std::vector<std::string> may_vary;
};

/// The request borrows the words of `shader`. `notes` gets what is left out, as resources that the shader lacks.
/// Errors: as fit(), and `invalid_argument` for names in `outputs` that mean no buffer.
Expected<CheckRequest> check_request(const Shader& shader, const spirv::Reflection& reflection, const Job& job,
                                     const OutputFlags& outputs, std::vector<std::string>& notes);

}  // namespace crosslane::job
