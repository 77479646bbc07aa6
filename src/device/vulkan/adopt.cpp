#include <algorithm>

#include "device/vulkan/buffer.hpp"
#include "device/vulkan/command_list.hpp"
#include "device/vulkan/device.hpp"

namespace crosslane::vulkan {
namespace {

Expected<void> check(const ExistingDevice& existing) {
  const auto missing = [](std::string_view what) {
    return fail(ErrorCode::invalid_argument, fmt::format("ExistingDevice::{} is null; pass your program's.", what));
  };
  if (existing.instance == VK_NULL_HANDLE) {
    return missing("instance");
  }
  if (existing.physical_device == VK_NULL_HANDLE) {
    return missing("physical_device");
  }
  if (existing.device == VK_NULL_HANDLE) {
    return missing("device");
  }
  if (existing.queue == VK_NULL_HANDLE) {
    return missing("queue");
  }
  return {};
}

Features enabled_features(const ExistingDevice& existing) {
  // Every structure is known here: what a chain holds was enabled.
  FeatureChain chain(FeatureSupport{});
  if (existing.enabled_features != nullptr) {
    chain.merge(*existing.enabled_features);
  }
  return chain.read();
}

Expected<std::unique_ptr<Device>> adopt_checked(const ExistingDevice& existing) {
  auto instance = std::make_shared<InstanceState>(vk::raii::Context());
  instance->adopted = true;
  instance->instance = vk::raii::Instance(instance->context, existing.instance);
  instance->api_version = names_vulkan13(existing.enabled_features) ? VK_API_VERSION_1_3 : VK_API_VERSION_1_2;

  auto usable = usable_devices(*instance);
  const auto found = std::ranges::find_if(
      usable, [&](const UsableDevice& it) { return *it.physical == vk::PhysicalDevice(existing.physical_device); });
  if (found == usable.end()) {
    return fail(ErrorCode::invalid_argument,
                "ExistingDevice::physical_device is not one of the instance's with Vulkan 1.2 and a compute queue.");
  }
  found->queue_family = existing.queue_family;
  const auto families = found->physical.getQueueFamilyProperties();
  if (existing.queue_family >= families.size() ||
      !(families[existing.queue_family].queueFlags & vk::QueueFlagBits::eCompute)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("ExistingDevice::queue_family {} is no family with compute.", existing.queue_family));
  }
  // Properties of extensions may be asked for wherever the device has them; features only count where enabled.
  auto id = fmt::format("vulkan:{}", found - usable.begin());
  auto description = describe(*found, enabled_features(existing), std::move(id));
  const auto enabled = [&](std::string_view name) {
    return std::ranges::any_of(existing.enabled_extensions, [name](const char* it) { return name == it; });
  };
  description.partitioned = enabled(VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME);
  description.non_semantic_info =
      description.api_version >= VK_API_VERSION_1_3 || enabled(VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME);

  auto state = std::make_shared<DeviceState>();
  state->adopted = true;
  state->instance = std::move(instance);
  state->physical = std::move(found->physical);
  state->device = vk::raii::Device(state->physical, existing.device);
  state->queue = existing.queue;
  state->queue_family = existing.queue_family;
  state->description = std::move(description);
  return make_device(std::move(state));
}

Expected<VulkanDevice*> own_device(Device& device) {
  auto* const own = dynamic_cast<VulkanDevice*>(&device);
  if (own == nullptr) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} is no device of the Vulkan back end.", label(device.info())));
  }
  return own;
}

}  // namespace

Expected<std::unique_ptr<Device>> adopt(const ExistingDevice& existing) {
  if (auto checked = check(existing); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  return guarded("Adopting a Vulkan device", [&] { return adopt_checked(existing); });
}

Expected<std::unique_ptr<Buffer>> adopt_buffer(Device& device, VkBuffer buffer, std::uint64_t bytes) {
  const auto own = own_device(device);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  if (buffer == VK_NULL_HANDLE || bytes == 0) {
    return fail(ErrorCode::invalid_argument, "A null buffer or one of 0 bytes cannot be adopted.");
  }
  return std::make_unique<VulkanBuffer>((*own)->state(), buffer, bytes);
}

Expected<std::unique_ptr<CommandList>> adopt_command_buffer(Device& device, VkCommandBuffer command_buffer) {
  const auto own = own_device(device);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  if (command_buffer == VK_NULL_HANDLE) {
    return fail(ErrorCode::invalid_argument, "A null command buffer cannot be adopted.");
  }
  return std::make_unique<VulkanCommandList>((*own)->state(), command_buffer);
}

}  // namespace crosslane::vulkan
