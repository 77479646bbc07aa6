// What the objects of the Vulkan back end share. The only header that includes Vulkan-Hpp's RAII classes: it is heavy.
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <vulkan/vulkan_raii.hpp>

#include "crosslane/device.hpp"
#include "crosslane/vulkan.hpp"
#include "device/vulkan/features.hpp"
#include "device/vulkan/physical_device.hpp"

namespace crosslane::vulkan {

/// Warnings and errors of the validation layer, which may speak from any thread.
class MessageLog {
 public:
  void add(std::string message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
  }
  [[nodiscard]] std::vector<std::string> messages() const {
    const std::lock_guard lock(mutex_);
    return messages_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
};

/// An instance, ours or the caller's. Devices keep it alive.
struct InstanceState {
  explicit InstanceState(vk::raii::Context loaded) : context(std::move(loaded)) {}
  InstanceState(const InstanceState&) = delete;
  InstanceState& operator=(const InstanceState&) = delete;
  ~InstanceState() {
    if (adopted) {
      instance.release();
    }
  }

  MessageLog log;  // before the instance: the layer may speak until the instance is gone
  vk::raii::Context context;
  vk::raii::Instance instance{nullptr};
  vk::raii::DebugUtilsMessengerEXT messenger{nullptr};
  std::uint32_t api_version = VK_API_VERSION_1_2;
  bool adopted = false;
  bool debug_utils = false;
  bool validating = false;
  std::uint32_t layer_version = 0;  ///< Vulkan version that the validation layer knows
};

/// A device, ours or the caller's. Buffers, pipelines and command lists keep it alive.
struct DeviceState {
  DeviceState() = default;
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;
  ~DeviceState() {
    if (adopted) {
      device.release();
    }
  }

  std::shared_ptr<InstanceState> instance;
  vk::raii::PhysicalDevice physical{nullptr};
  vk::raii::Device device{nullptr};
  vk::Queue queue;
  std::uint32_t queue_family = 0;
  bool adopted = false;
  Description description;

  [[nodiscard]] const DeviceInfo& info() const { return description.info; }
  [[nodiscard]] const vk::raii::DeviceDispatcher& dispatcher() const { return *device.getDispatcher(); }
};

/// Calls `work`, which returns an Expected; what it throws becomes an Error that begins with `what`.
template <typename Work>
auto guarded(std::string_view what, Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const vk::SystemError& error) {
    return fail(ErrorCode::device, fmt::format("{} failed.", what),
                {vk::to_string(static_cast<vk::Result>(error.code().value())), error.what()});
  } catch (const std::exception& error) {
    return fail(ErrorCode::device, fmt::format("{} failed.", what), {error.what()});
  }
}

std::unique_ptr<Device> make_device(std::shared_ptr<DeviceState> state);

/// Physical devices of Vulkan 1.2 or later with a compute queue, in the driver's order.
struct UsableDevice {
  vk::raii::PhysicalDevice physical{nullptr};
  FeatureSupport support;
  std::uint32_t queue_family = 0;
};
std::vector<UsableDevice> usable_devices(const InstanceState& state);

/// The features that the physical device offers and this back end uses.
Features offered_features(const UsableDevice& usable);

/// Describes a device on which `features` are enabled.
Description describe(const UsableDevice& usable, const Features& features, std::string id);

}  // namespace crosslane::vulkan
