// A job fitted to its shader: which resource is shown where, constants, and how large buffers are at least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "job/bind.hpp"
#include "job/job.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::job {

/// What the shader is handed, in its own terms.
struct Fitted {
  ResourceBindings bindings;
  std::vector<SpecializationConstant> constants;
  std::vector<std::byte> push_constants;
};

/// Errors: those of bind() and specialize(), `invalid_input` for two writable resources of one buffer and for push
/// constants that the shader has no room for.
Expected<Fitted> fit(const Job& job, const spirv::Reflection& shader, bool registers);

/// The job's specialization constants as a device takes them. Errors: `invalid_input` for ids that the shader does not
/// have and types that are not the constant's.
Expected<std::vector<SpecializationConstant>> specialize(const Job& job, const spirv::Reflection& shader);

/// Whether shaders write to resources of the kind.
bool is_writable(ResourceKind kind);
bool is_texture(ResourceKind kind);

/// Bytes that a buffer needs to hold `bytes` of a job's data where it is shown.
std::uint64_t least_bytes(const spirv::ResourceBinding& shown, std::uint64_t bytes);

}  // namespace crosslane::job
