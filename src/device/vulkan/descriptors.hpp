// Descriptor sets for the dispatches of one command list.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "device/vulkan/image.hpp"
#include "device/vulkan/pipeline.hpp"
#include "device/vulkan/state.hpp"

namespace crosslane::vulkan {

/// True for buffers, images and samplers: what a dispatch can show to a shader.
bool can_be_bound(spirv::BindingKind kind);

/// The descriptor that Vulkan wants for a binding of that kind, one that can be bound.
vk::DescriptorType descriptor_type(spirv::BindingKind kind);

/// A binding of a dispatch, checked: its range lies in its buffer and obeys the device's limits, or its image has the
/// shape that the shader takes.
struct BoundRange {
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
  std::uint32_t element = 0;
  vk::DescriptorType type = vk::DescriptorType::eStorageBuffer;
  vk::DescriptorBufferInfo range = {};
  vk::Format format = vk::Format::eUndefined;  ///< of a texel buffer
  const VulkanImage* image = nullptr;
  vk::ImageViewType shape = vk::ImageViewType::e2D;
  std::uint32_t first_level = 0;
  std::uint32_t levels = 1;
  std::optional<Sampler> sampler = {};
};

/// The ranges for the bindings of the pipeline, one for each element of each. Bindings that the pipeline does not have
/// are checked and left out: compilers drop resources that a variant of a shader does not use.
/// Errors: `invalid_argument` for null or foreign buffers and images, ranges and images that do not fit, typed buffers
/// without a format, and bindings missing or given twice; `unsupported` for texel formats that the device lacks.
Expected<std::vector<BoundRange>> check_bindings(const VulkanPipeline& pipeline, std::span<const Binding> bindings);

/// Makes descriptor sets; its pools grow with the number of dispatches.
class DescriptorSets {
 public:
  explicit DescriptorSets(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  /// The sets of the pipeline, from set 0 on, filled. Throws what Vulkan-Hpp throws.
  std::vector<vk::DescriptorSet> make(const VulkanPipeline& pipeline, std::span<const BoundRange> ranges);

 private:
  static constexpr std::array types = {
      vk::DescriptorType::eStorageBuffer,        vk::DescriptorType::eUniformBuffer,
      vk::DescriptorType::eStorageTexelBuffer,   vk::DescriptorType::eUniformTexelBuffer,
      vk::DescriptorType::eStorageImage,         vk::DescriptorType::eSampledImage,
      vk::DescriptorType::eCombinedImageSampler, vk::DescriptorType::eSampler};
  using Counts = std::array<std::uint32_t, types.size()>;  ///< descriptors of each type

  struct Pool {
    vk::raii::DescriptorPool pool;
    std::uint32_t sets_left = 0;
    Counts left{};
  };
  /// Makes the view and the sampler of a binding.
  vk::DescriptorImageInfo show(const BoundRange& bound);
  Pool& pool_for(std::uint32_t sets, const Counts& needed);

  std::shared_ptr<DeviceState> state_;
  std::vector<Pool> pools_;
  std::vector<vk::raii::BufferView> views_;  // of texel buffers
  std::vector<vk::raii::ImageView> image_views_;
  std::vector<vk::raii::Sampler> samplers_;
};

}  // namespace crosslane::vulkan
