// Descriptor sets for the dispatches of one command list.
#pragma once

#include <span>

#include "device/vulkan/pipeline.hpp"
#include "device/vulkan/state.hpp"

namespace crosslane::vulkan {

/// Bindings of a dispatch, checked: each range lies in its buffer and obeys the device's limits.
struct BoundRange {
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
  vk::DescriptorType type = vk::DescriptorType::eStorageBuffer;
  vk::DescriptorBufferInfo range;
};

/// One range for every binding of the pipeline, in its order. Bindings that the pipeline does not have are checked and
/// left out: compilers drop resources that a variant of a shader does not use.
/// Errors: `invalid_argument` for null or foreign buffers, ranges that do not fit, and bindings missing or given twice.
Expected<std::vector<BoundRange>> check_bindings(const VulkanPipeline& pipeline, std::span<const Binding> bindings);

/// Makes descriptor sets; its pools grow with the number of dispatches.
class DescriptorSets {
 public:
  explicit DescriptorSets(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  /// The sets of the pipeline, from set 0 on, filled. Throws what Vulkan-Hpp throws.
  std::vector<vk::DescriptorSet> make(const VulkanPipeline& pipeline, std::span<const BoundRange> ranges);

 private:
  struct Pool {
    vk::raii::DescriptorPool pool;
    std::uint32_t sets_left = 0;
    std::uint32_t storage_left = 0;
    std::uint32_t uniform_left = 0;
  };
  Pool& pool_for(std::uint32_t sets, std::uint32_t storage, std::uint32_t uniform);

  std::shared_ptr<DeviceState> state_;
  std::vector<Pool> pools_;
};

}  // namespace crosslane::vulkan
