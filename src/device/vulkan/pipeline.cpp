#include "device/vulkan/pipeline.hpp"

#include <algorithm>
#include <map>

#include "device/vulkan/descriptors.hpp"
#include "device/vulkan/shader.hpp"
#include "device/vulkan/wave_choice.hpp"

namespace crosslane::vulkan {
namespace {

struct Specialization {
  std::vector<vk::SpecializationMapEntry> entries;
  std::vector<std::uint64_t> values;
};

Specialization specialize(const PipelineDescription& description, const spirv::Reflection& shader) {
  Specialization result;
  for (const auto& constant : description.constants) {
    const auto info = std::ranges::find(shader.specialization, constant.id, &spirv::SpecializationInfo::id);
    // The low bytes come first: this back end runs on little-endian hosts, as all with Vulkan drivers are.
    const auto offset = static_cast<std::uint32_t>(result.values.size() * sizeof(std::uint64_t));
    const bool boolean = info->type.kind == spirv::ScalarInfo::Kind::boolean;
    result.values.push_back(boolean ? static_cast<std::uint64_t>(constant.value != 0) : constant.value);
    result.entries.emplace_back(constant.id, offset, info->bytes);
  }
  return result;
}

void set_name(const DeviceState& state, vk::Pipeline pipeline, const std::string& name) {
  if (!state.adopted && state.instance->debug_utils) {
    const vk::DebugUtilsObjectNameInfoEXT info(
        vk::ObjectType::ePipeline, reinterpret_cast<std::uint64_t>(static_cast<VkPipeline>(pipeline)),  // NOLINT
        name.c_str());
    (*state.device).setDebugUtilsObjectNameEXT(info, state.dispatcher());
  }
}

}  // namespace

Expected<std::unique_ptr<Pipeline>> VulkanPipeline::create(std::shared_ptr<DeviceState> state,
                                                           const PipelineDescription& description, PipelineUse use) {
  const auto name = description.name.empty() ? description.entry_point : description.name;
  const auto fitted = fit_shader(state->description, description, name);
  if (!fitted) {
    return tl::unexpected<Error>(fitted.error());
  }
  const auto wave = choose_wave(state->description, description.wave_size, fitted->group_size, name);
  if (!wave) {
    return tl::unexpected<Error>(wave.error());
  }
  return guarded(fmt::format("Making a pipeline of shader \"{}\" on {}", name, label(state->info())),
                 [&]() -> Expected<std::unique_ptr<Pipeline>> {
                   std::unique_ptr<VulkanPipeline> pipeline(new VulkanPipeline());
                   pipeline->state_ = state;
                   pipeline->name_ = name;
                   pipeline->bindings_ = fitted->shader.bindings;
                   pipeline->constants_bytes_ = static_cast<std::uint32_t>(fitted->shader.constants_bytes);
                   pipeline->group_size_ = fitted->group_size;
                   pipeline->wave_size_ = wave->lanes;
                   pipeline->make_layouts();
                   pipeline->make_pipeline(description, *fitted, *wave, use);
                   return pipeline;
                 });
}

void VulkanPipeline::make_layouts() {
  std::map<std::uint32_t, std::map<std::uint32_t, vk::DescriptorSetLayoutBinding>> sets;
  for (const auto& binding : bindings_) {
    sets[binding.set][binding.slot] = {binding.slot, descriptor_type(binding.kind), binding.count,
                                       vk::ShaderStageFlagBits::eCompute};
  }
  std::vector<vk::DescriptorSetLayout> handles;
  for (std::uint32_t set = 0; !sets.empty() && set <= sets.rbegin()->first; ++set) {
    std::vector<vk::DescriptorSetLayoutBinding> list;
    for (const auto& [slot, binding] : sets[set]) {
      list.push_back(binding);
    }
    set_layouts_.emplace_back(state_->device, vk::DescriptorSetLayoutCreateInfo({}, list));
    handles.push_back(*set_layouts_.back());
  }
  // Sizes are multiples of four bytes in Vulkan.
  const vk::PushConstantRange range(vk::ShaderStageFlagBits::eCompute, 0, (constants_bytes_ + 3) / 4 * 4);
  vk::PipelineLayoutCreateInfo info({}, handles);
  if (constants_bytes_ != 0) {
    info.setPushConstantRanges(range);
  }
  layout_ = vk::raii::PipelineLayout(state_->device, info);
}

void VulkanPipeline::make_pipeline(const PipelineDescription& description, const FittedShader& fitted,
                                   const WaveChoice& wave, PipelineUse use) {
  const vk::raii::ShaderModule module(state_->device, vk::ShaderModuleCreateInfo({}, fitted.words));
  const auto specialization = specialize(description, fitted.shader);
  vk::SpecializationInfo specialization_info;
  specialization_info.setMapEntries(specialization.entries);
  specialization_info.setData<std::uint64_t>(specialization.values);
  const vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo required(wave.lanes);

  vk::PipelineShaderStageCreateInfo stage({}, vk::ShaderStageFlagBits::eCompute, *module,
                                          description.entry_point.c_str());
  if (!specialization.entries.empty()) {
    stage.pSpecializationInfo = &specialization_info;
  }
  if (wave.required) {
    stage.pNext = &required;
  }
  if (wave.full) {
    stage.flags |= vk::PipelineShaderStageCreateFlagBits::eRequireFullSubgroups;
  }
  vk::ComputePipelineCreateInfo info({}, stage, *layout_);
  if (use == PipelineUse::statistics) {
    info.flags |= vk::PipelineCreateFlagBits::eCaptureStatisticsKHR;
  }
  pipeline_ = vk::raii::Pipeline(state_->device, nullptr, info);
  set_name(*state_, *pipeline_, name_);
}

}  // namespace crosslane::vulkan
