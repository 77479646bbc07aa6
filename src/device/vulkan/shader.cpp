#include "device/vulkan/shader.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spirv/unified1/spirv.hpp11>

#include "device/vulkan/capabilities.hpp"
#include "device/vulkan/descriptors.hpp"
#include "spirv/rewrite.hpp"
#include "spirv/validate.hpp"

namespace crosslane::vulkan {
namespace {

// One rewrite of the module and another look at it; a module that cannot be rewritten stays as it is.
Expected<void> rewrite(FittedShader& fitted, const std::string& entry_point,
                       Expected<std::vector<std::uint32_t>> (*change)(std::span<const std::uint32_t>)) {
  auto changed = change(fitted.words);
  if (!changed) {
    return tl::unexpected<Error>(std::move(changed.error()));
  }
  auto shader = spirv::reflect(*changed, entry_point);
  if (!shader) {
    return tl::unexpected<Error>(std::move(shader.error()));
  }
  fitted.words = std::move(*changed);
  fitted.shader = std::move(*shader);
  return {};
}

Expected<FittedShader> read_shader(const Description& device, const PipelineDescription& description,
                                   const std::string& name) {
  const spirv::ValidationOptions rules{device.api_version >= VK_API_VERSION_1_3 ? "vulkan1.3" : "vulkan1.2",
                                       device.features.scalar_block_layout, device.features.maintenance4};
  auto shader = spirv::reflect(description.spirv, description.entry_point);
  if (!shader) {
    return fail_because(fmt::format("Shader \"{}\" cannot be read.", name), std::move(shader.error()));
  }
  if (auto valid = spirv::validate(description.spirv, rules); !valid) {
    return fail_because(fmt::format("Shader \"{}\" is not valid.", name), std::move(valid.error()));
  }
  return FittedShader{{description.spirv.begin(), description.spirv.end()}, std::move(*shader), {}};
}

Expected<void> fit(const Description& device, const std::string& entry_point, const std::string& name,
                   FittedShader& fitted) {
  for (auto* const change :
       {&spirv::strip_maximal_reconvergence, &spirv::trim_capabilities, &spirv::strip_tool_information}) {
    if (missing_on(device, fitted.shader).empty()) {
      break;
    }
    if (change == &spirv::strip_maximal_reconvergence && device.features.maximal_reconvergence) {
      continue;
    }
    if (auto done = rewrite(fitted, entry_point, change); !done) {
      return fail_because(fmt::format("Shader \"{}\" cannot be made to fit {}.", name, label(device.info)),
                          std::move(done.error()));
    }
  }
  if (const auto missing = missing_on(device, fitted.shader); !missing.empty()) {
    return fail(ErrorCode::unsupported, fmt::format("{} cannot run shader \"{}\": it lacks {}.", label(device.info),
                                                    name, fmt::join(missing, ", ")));
  }
  return {};
}

// Bindings that share a limit of the device, for messages.
struct KindCount {
  std::string_view what;
  std::vector<spirv::BindingKind> kinds;
  std::uint32_t most = 0;
  std::uint64_t used = 0;
};

Expected<void> check_binding(const Description& device, const spirv::ResourceBinding& binding,
                             const std::string& where) {
  const bool multisampled = binding.image && binding.image->multisampled;
  if (!can_be_bound(binding.kind) || multisampled) {
    return fail(ErrorCode::unsupported, fmt::format("{}: a {}{} cannot be bound; use buffers and plain images.", where,
                                                    multisampled ? "multisampled " : "", spirv::name(binding.kind)));
  }
  if (binding.count == 0) {
    return fail(ErrorCode::unsupported,
                fmt::format("{}: an array of buffers without a fixed size cannot be bound; give it one.", where));
  }
  if (binding.set >= device.sets) {
    return fail(ErrorCode::unsupported,
                fmt::format("{}: {} has {} descriptor sets at most.", where, label(device.info), device.sets));
  }
  return {};
}

Expected<void> check_bindings(const Description& device, const spirv::Reflection& shader, const std::string& name) {
  using enum spirv::BindingKind;
  std::vector<KindCount> counts = {
      {"storage buffers", {storage_buffer}, device.stage_storage_buffers},
      {"uniform buffers", {uniform_buffer}, device.stage_uniform_buffers},
      {"storage texel buffers and images", {storage_texel_buffer, storage_image}, device.stage_storage_images},
      {"uniform texel buffers and sampled images",
       {uniform_texel_buffer, sampled_image, combined_image_sampler},
       device.stage_sampled_images},
      {"samplers", {sampler, combined_image_sampler}, device.stage_samplers}};
  const spirv::ResourceBinding* previous = nullptr;
  for (const auto& binding : shader.bindings) {
    const auto where = fmt::format("shader \"{}\", set {}, binding {}{}", name, binding.set, binding.slot,
                                   binding.name.empty() ? "" : fmt::format(" ({})", binding.name));
    if (auto checked = check_binding(device, binding, where); !checked) {
      return checked;
    }
    if (previous != nullptr && previous->set == binding.set && previous->slot == binding.slot &&
        (previous->kind != binding.kind || previous->count != binding.count)) {
      return fail(ErrorCode::unsupported, fmt::format("{}: it is a {} of {} elements too.", where,
                                                      spirv::name(previous->kind), previous->count));
    }
    for (auto& count : counts) {
      count.used += std::ranges::find(count.kinds, binding.kind) != count.kinds.end() ? binding.count : 0;
    }
    previous = &binding;
  }
  for (const auto& count : counts) {
    if (count.used > count.most) {
      return fail(ErrorCode::unsupported, fmt::format("Shader \"{}\" uses {} {}; {} allows {}.", name, count.used,
                                                      count.what, label(device.info), count.most));
    }
  }
  return {};
}

const SpecializationConstant* find_constant(const PipelineDescription& description, std::uint32_t id) {
  const auto found = std::ranges::find(description.constants, id, &SpecializationConstant::id);
  return found == description.constants.end() ? nullptr : &*found;
}

Expected<void> check_constants(const PipelineDescription& description, const spirv::Reflection& shader,
                               const std::string& name) {
  for (const auto& constant : description.constants) {
    if (find_constant(description, constant.id) != &constant) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("Specialization constant {} of shader \"{}\" is given twice.", constant.id, name));
    }
    if (std::ranges::find(shader.specialization, constant.id, &spirv::SpecializationInfo::id) ==
        shader.specialization.end()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("Shader \"{}\" has no specialization constant {}.", name, constant.id));
    }
  }
  return {};
}

Expected<std::array<std::uint32_t, 3>> specialized_group_size(const Description& device,
                                                              const PipelineDescription& description,
                                                              const spirv::Reflection& shader,
                                                              const std::string& name) {
  auto size = shader.group_size;
  std::uint64_t threads = 1;
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    const auto& id = shader.group_size_constants.at(dimension);
    if (const auto* constant = id ? find_constant(description, *id) : nullptr; constant != nullptr) {
      size.at(dimension) = static_cast<std::uint32_t>(constant->value);
    }
    if (size.at(dimension) == 0 || size.at(dimension) > device.group_size.at(dimension)) {
      return fail(size.at(dimension) == 0 ? ErrorCode::invalid_argument : ErrorCode::unsupported,
                  fmt::format("Shader \"{}\" has thread groups of {} threads in dimension {}; {} allows 1 to {}.", name,
                              size.at(dimension), dimension, label(device.info), device.group_size.at(dimension)));
    }
    threads *= size.at(dimension);
  }
  if (threads > device.info.limits.group_threads) {
    return fail(ErrorCode::unsupported,
                fmt::format("Shader \"{}\" has thread groups of {} threads; {} allows {}.", name, threads,
                            label(device.info), device.info.limits.group_threads));
  }
  return size;
}

Expected<void> check_sizes(const Description& device, const spirv::Reflection& shader, const std::string& name) {
  const auto& limits = device.info.limits;
  if (shader.groupshared_bytes > limits.groupshared_bytes) {
    return fail(ErrorCode::unsupported,
                fmt::format("Shader \"{}\" uses {} bytes of groupshared memory; {} allows {}.", name,
                            shader.groupshared_bytes, label(device.info), limits.groupshared_bytes));
  }
  if (shader.constants_bytes > limits.constants_bytes) {
    return fail(ErrorCode::unsupported,
                fmt::format("Shader \"{}\" takes {} bytes of push constants; {} allows {}.", name,
                            shader.constants_bytes, label(device.info), limits.constants_bytes));
  }
  return {};
}

}  // namespace

Expected<FittedShader> fit_shader(const Description& device, const PipelineDescription& description,
                                  const std::string& name) {
  auto fitted = read_shader(device, description, name);
  if (!fitted) {
    return fitted;
  }
  const auto& shader = fitted->shader;
  if (static_cast<spv::ExecutionModel>(shader.entry_point.execution_model) != spv::ExecutionModel::GLCompute) {
    return fail(ErrorCode::unsupported,
                fmt::format(R"(Entry point "{}" of shader "{}" is no compute shader.)", shader.entry_point.name, name));
  }
  auto checked = check_bindings(device, shader, name);
  checked = checked ? check_constants(description, shader, name) : checked;
  checked = checked ? check_sizes(device, shader, name) : checked;
  checked = checked ? fit(device, description.entry_point, name, *fitted) : checked;
  if (!checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  const auto group_size = specialized_group_size(device, description, shader, name);
  if (!group_size) {
    return tl::unexpected<Error>(group_size.error());
  }
  fitted->group_size = *group_size;
  return fitted;
}

}  // namespace crosslane::vulkan
