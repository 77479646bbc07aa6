// Descriptor sets for the dispatches of one command list.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "device/vulkan/pipeline.hpp"
#include "device/vulkan/state.hpp"

namespace crosslane::vulkan {

/// The descriptor that Vulkan wants for a binding of that kind, one for which spirv::is_buffer holds.
vk::DescriptorType descriptor_type(spirv::BindingKind kind);

/// A binding of a dispatch, checked: its range lies in its buffer and obeys the device's limits.
struct BoundRange {
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
  std::uint32_t element = 0;
  vk::DescriptorType type = vk::DescriptorType::eStorageBuffer;
  vk::DescriptorBufferInfo range;
  vk::Format format = vk::Format::eUndefined;  ///< of a texel buffer
};

/// The ranges for the bindings of the pipeline, one for each element of each. Bindings that the pipeline does not have
/// are checked and left out: compilers drop resources that a variant of a shader does not use.
/// Errors: `invalid_argument` for null or foreign buffers, ranges that do not fit, typed buffers without a format, and
/// bindings missing or given twice; `unsupported` for texel formats that the device lacks.
Expected<std::vector<BoundRange>> check_bindings(const VulkanPipeline& pipeline, std::span<const Binding> bindings);

/// Makes descriptor sets; its pools grow with the number of dispatches.
class DescriptorSets {
 public:
  explicit DescriptorSets(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  /// The sets of the pipeline, from set 0 on, filled. Throws what Vulkan-Hpp throws.
  std::vector<vk::DescriptorSet> make(const VulkanPipeline& pipeline, std::span<const BoundRange> ranges);

 private:
  static constexpr std::array types = {vk::DescriptorType::eStorageBuffer, vk::DescriptorType::eUniformBuffer,
                                       vk::DescriptorType::eStorageTexelBuffer,
                                       vk::DescriptorType::eUniformTexelBuffer};
  using Counts = std::array<std::uint32_t, types.size()>;  ///< descriptors of each type

  struct Pool {
    vk::raii::DescriptorPool pool;
    std::uint32_t sets_left = 0;
    Counts left{};
  };
  Pool& pool_for(std::uint32_t sets, const Counts& needed);

  std::shared_ptr<DeviceState> state_;
  std::vector<Pool> pools_;
  std::vector<vk::raii::BufferView> views_;  // of texel buffers
};

}  // namespace crosslane::vulkan
