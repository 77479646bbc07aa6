#include <algorithm>
#include <span>

#include "device/vulkan/state.hpp"

namespace crosslane::vulkan {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT /*severity*/,
                                          VkDebugUtilsMessageTypeFlagsEXT /*types*/,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* log) {
  try {
    static_cast<MessageLog*>(log)->add(data->pMessage == nullptr ? "" : data->pMessage);
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for a message must not end the program
  }
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(MessageLog& log) {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = &on_message;
  info.pUserData = &log;
  return info;
}

bool offers(std::span<const vk::ExtensionProperties> extensions, std::string_view name) {
  return std::ranges::any_of(extensions, [name](const auto& extension) { return extension.extensionName == name; });
}

Expected<vk::raii::Context> load() {
  try {
    return vk::raii::Context();
  } catch (const std::exception& error) {
    return fail(ErrorCode::device,
                "The Vulkan loader was not found; install it (Debian: apt install libvulkan1) or your GPU's driver.",
                {error.what()});
  }
}

// Fills in `state.instance`. Throws what Vulkan-Hpp throws.
void make_instance(InstanceState& state, const InstanceOptions& options) {
  std::vector<const char*> layers;
  auto extensions = state.context.enumerateInstanceExtensionProperties();
  if (options.validation) {
    for (const auto& layer : state.context.enumerateInstanceLayerProperties()) {
      if (std::string_view(layer.layerName) == validation_layer) {
        layers.push_back(validation_layer);
        state.layer_version = layer.specVersion;
        state.validating = true;
        const auto more = state.context.enumerateInstanceExtensionProperties(std::string(validation_layer));
        extensions.insert(extensions.end(), more.begin(), more.end());
      }
    }
  }
  std::vector<const char*> enabled;
  vk::InstanceCreateFlags flags;
  if (offers(extensions, VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) {
    enabled.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    state.debug_utils = true;
  }
  if (offers(extensions, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
    enabled.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    flags |= vk::InstanceCreateFlagBits::eEnumeratePortabilityKHR;
  }
  // A loader of 1.1 or later takes a higher version than its own; devices say what they can do.
  state.api_version = VK_API_VERSION_1_3;
  vk::ApplicationInfo application("crosslane", 0, "crosslane", 0, state.api_version);
  vk::InstanceCreateInfo info(flags, &application, layers, enabled);
  const auto messages = messenger_info(state.log);
  if (state.validating && state.debug_utils) {
    info.pNext = &messages;
  }
  state.instance = vk::raii::Instance(state.context, info);
  if (state.validating && state.debug_utils) {
    state.messenger = vk::raii::DebugUtilsMessengerEXT(state.instance, vk::DebugUtilsMessengerCreateInfoEXT(messages));
  }
}

// Layers older than an extension take its structures for errors.
void forget_what_the_layer_does_not_know(const InstanceState& state, UsableDevice& device) {
  constexpr std::uint32_t first_with_reconvergence = VK_MAKE_API_VERSION(0, 1, 3, 276);
  if (state.validating && state.layer_version < first_with_reconvergence) {
    std::erase(device.support.extensions, maximal_reconvergence_extension);
  }
}

std::shared_ptr<DeviceState> open_device(const std::shared_ptr<InstanceState>& instance, const UsableDevice& usable,
                                         const Description& description) {
  auto state = std::make_shared<DeviceState>();
  state->instance = instance;
  state->physical = usable.physical;
  state->queue_family = usable.queue_family;
  state->description = description;

  FeatureChain chain(usable.support);
  chain.write(description.features);
  const auto extensions = extensions_to_enable(description.features, usable.support);
  const float priority = 1.0F;
  const vk::DeviceQueueCreateInfo queue({}, usable.queue_family, 1, &priority);
  const vk::DeviceCreateInfo info({}, queue, {}, extensions, nullptr, chain.head());
  state->device = vk::raii::Device(state->physical, info);
  state->queue = (*state->device).getQueue(usable.queue_family, 0, state->dispatcher());
  return state;
}

class VulkanInstance final : public Instance {
 public:
  explicit VulkanInstance(std::shared_ptr<InstanceState> state) : state_(std::move(state)) {
    for (auto& usable : usable_devices(*state_)) {
      forget_what_the_layer_does_not_know(*state_, usable);
      auto id = fmt::format("vulkan:{}", descriptions_.size());
      descriptions_.push_back(describe(usable, offered_features(usable), std::move(id)));
      infos_.push_back(descriptions_.back().info);
      usable_.push_back(std::move(usable));
    }
  }

  [[nodiscard]] const std::vector<DeviceInfo>& devices() const override { return infos_; }

  Expected<std::unique_ptr<Device>> open(std::size_t index) override {
    if (index >= infos_.size()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("There is no device vulkan:{}; Vulkan sees {}.", index, infos_.size()));
    }
    return guarded(fmt::format("Opening {}", label(infos_[index])), [&]() -> Expected<std::unique_ptr<Device>> {
      return make_device(open_device(state_, usable_[index], descriptions_[index]));
    });
  }

  [[nodiscard]] bool validating() const override { return state_->validating; }
  [[nodiscard]] std::vector<std::string> validation_messages() const override { return state_->log.messages(); }

 private:
  std::shared_ptr<InstanceState> state_;
  std::vector<UsableDevice> usable_;
  std::vector<Description> descriptions_;
  std::vector<DeviceInfo> infos_;
};

}  // namespace

Expected<std::unique_ptr<Instance>> create_instance(const InstanceOptions& options) {
  auto context = load();
  if (!context) {
    return tl::unexpected<Error>(std::move(context.error()));
  }
  try {
    auto state = std::make_shared<InstanceState>(std::move(*context));
    make_instance(*state, options);
    return std::make_unique<VulkanInstance>(std::move(state));
  } catch (const vk::IncompatibleDriverError& error) {
    return fail(ErrorCode::device,
                "No Vulkan driver is installed; install your GPU's, or a software driver (Debian: apt install "
                "mesa-vulkan-drivers).",
                {"ErrorIncompatibleDriver", error.what()});
  } catch (const vk::SystemError& error) {
    return fail(ErrorCode::device, "Vulkan could not be started; check the driver's installation with vulkaninfo.",
                {vk::to_string(static_cast<vk::Result>(error.code().value())), error.what()});
  } catch (const std::exception& error) {
    return fail(ErrorCode::device, "Vulkan could not be started; check the driver's installation with vulkaninfo.",
                {error.what()});
  }
}

}  // namespace crosslane::vulkan
