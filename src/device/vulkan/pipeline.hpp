// Pipelines of the Vulkan back end.
#pragma once

#include "device/vulkan/state.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::vulkan {

struct FittedShader;
struct WaveChoice;

/// Pipelines that are to tell what the compiler made of them may be slower to make.
enum class PipelineUse : std::uint8_t { running, statistics };

class VulkanPipeline final : public Pipeline {
 public:
  /// Errors: `invalid_input` for SPIR-V that is malformed, `invalid_argument` for constants, sizes or an entry point
  /// that the shader or Vulkan does not know, `unsupported` for what this device cannot do, `device` for the driver.
  static Expected<std::unique_ptr<Pipeline>> create(std::shared_ptr<DeviceState> state,
                                                    const PipelineDescription& description,
                                                    PipelineUse use = PipelineUse::running);

  [[nodiscard]] std::array<std::uint32_t, 3> group_size() const override { return group_size_; }
  [[nodiscard]] std::uint32_t wave_size() const override { return wave_size_; }

  [[nodiscard]] const DeviceState* state() const { return state_.get(); }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<spirv::ResourceBinding>& bindings() const { return bindings_; }
  [[nodiscard]] std::uint32_t constants_bytes() const { return constants_bytes_; }
  [[nodiscard]] vk::Pipeline handle() const { return *pipeline_; }
  [[nodiscard]] vk::PipelineLayout layout() const { return *layout_; }
  /// One layout per descriptor set, from set 0 on without gaps.
  [[nodiscard]] const std::vector<vk::raii::DescriptorSetLayout>& set_layouts() const { return set_layouts_; }

 private:
  VulkanPipeline() = default;
  void make_layouts();
  void make_pipeline(const PipelineDescription& description, const FittedShader& fitted, const WaveChoice& wave,
                     PipelineUse use);

  std::shared_ptr<DeviceState> state_;
  std::string name_;
  std::vector<spirv::ResourceBinding> bindings_;
  std::uint32_t constants_bytes_ = 0;
  std::array<std::uint32_t, 3> group_size_{};
  std::uint32_t wave_size_ = 0;
  std::vector<vk::raii::DescriptorSetLayout> set_layouts_;
  vk::raii::PipelineLayout layout_{nullptr};
  vk::raii::Pipeline pipeline_{nullptr};
};

}  // namespace crosslane::vulkan
