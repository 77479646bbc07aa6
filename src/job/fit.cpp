#include "job/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/rounding.hpp"

namespace crosslane::job {
namespace {

Expected<void> check_outputs(const std::vector<BoundResource>& bound) {
  std::set<std::string> written;
  for (const auto& candidate : bound) {
    if (is_writable(candidate.resource->kind) && !written.insert(candidate.resource->buffer).second) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("two writable resources name buffer '{}': give each a buffer of its own",
                              candidate.resource->buffer));
    }
  }
  return {};
}

Expected<std::vector<std::byte>> push_constants(const Job& job, const spirv::Reflection& shader) {
  if (job.push_constants.size() > shader.constants_bytes) {
    return fail(ErrorCode::invalid_input, fmt::format("the job has {} bytes of push constants, and the shader takes {}",
                                                      job.push_constants.size(), shader.constants_bytes));
  }
  auto bytes = job.push_constants;
  bytes.resize(shader.constants_bytes);  // zeros follow
  return bytes;
}

// Signs do not matter to constants.
bool same_type(Format format, Format other) {
  return is_float(format) == is_float(other) && size_of(format) == size_of(other);
}

}  // namespace

Expected<std::vector<SpecializationConstant>> specialize(const Job& job, const spirv::Reflection& shader) {
  std::vector<SpecializationConstant> constants;
  for (const auto& constant : job.constants) {
    const auto info = std::ranges::find(shader.specialization, constant.id, &spirv::SpecializationInfo::id);
    if (info == shader.specialization.end()) {
      return fail(ErrorCode::invalid_input, fmt::format("the shader has no specialization constant {}", constant.id));
    }
    if (!same_type(constant.format, format_of(info->type))) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("specialization constant {} is {}, but the job gives it as {}", constant.id,
                              name(format_of(info->type)), name(constant.format)));
    }
    constants.push_back({constant.id, constant.bits});
  }
  return constants;
}

Expected<Fitted> fit(const Job& job, const spirv::Reflection& shader, bool registers) {
  Fitted fitted;
  return bind(job, shader, registers)
      .and_then([&](ResourceBindings bindings) {
        fitted.bindings = std::move(bindings);
        return check_outputs(fitted.bindings.bound);
      })
      .and_then([&] { return specialize(job, shader); })
      .and_then([&](std::vector<SpecializationConstant> constants) {
        fitted.constants = std::move(constants);
        return push_constants(job, shader);
      })
      .map([&](std::vector<std::byte> bytes) {
        fitted.push_constants = std::move(bytes);
        return std::move(fitted);
      });
}

bool is_writable(ResourceKind kind) {
  return kind == ResourceKind::rw_typed_buffer || kind == ResourceKind::rw_structured_buffer ||
         kind == ResourceKind::rw_byte_address_buffer || kind == ResourceKind::rw_texture;
}

bool is_texture(ResourceKind kind) { return kind == ResourceKind::texture || kind == ResourceKind::rw_texture; }

// Direct3D's constant buffers have whole vectors of 16 bytes; the shader's block may end later than the job's data.
std::uint64_t least_bytes(const spirv::ResourceBinding& shown, std::uint64_t bytes) {
  constexpr std::uint64_t vector_bytes = 16;
  return shown.kind == spirv::BindingKind::uniform_buffer ? round_up(std::max(bytes, shown.bytes), vector_bytes)
                                                          : bytes;
}

}  // namespace crosslane::job
