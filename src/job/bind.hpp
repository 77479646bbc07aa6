// Which of a job's resources the shader has at which of its bindings.
#pragma once

#include <string>
#include <vector>

#include "crosslane/error.hpp"
#include "job/job.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::job {

struct BoundResource {
  const Resource* resource = nullptr;
  const spirv::ResourceBinding* shown = nullptr;
  const spirv::ResourceBinding* counter = nullptr;  ///< of its hidden counter; null where it has none
};

struct ResourceBindings {
  std::vector<BoundResource> bound;
  std::vector<std::string> notes;  ///< resources that the shader does not use
};

/// Finds the binding of each resource among the shader's; the pointers are into `job` and `shader`. Where `registers`
/// holds, this project compiled the shader from HLSL: then registers come first, by kind, number and space, and
/// VulkanBinding counts for resources that the source places with [[vk::binding]]. Otherwise VulkanBinding comes first.
/// Errors: `invalid_input` where a binding of the shader is left without a resource or has two, or arrays differ.
Expected<ResourceBindings> bind(const Job& job, const spirv::Reflection& shader, bool registers);

/// "set 0, binding 1000 (input)", for messages.
std::string place_of(const spirv::ResourceBinding& binding);

}  // namespace crosslane::job
