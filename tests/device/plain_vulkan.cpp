#include "device/plain_vulkan.hpp"

#include <dlfcn.h>

#include <array>
#include <stdexcept>

namespace crosslane::test {
namespace {

// A structure with its type set and all else zero.
template <typename Structure>
Structure structure(VkStructureType type) {
  Structure made{};
  made.sType = type;
  return made;
}

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) {
    throw std::runtime_error(std::string(what) + " failed: " + std::to_string(result));
  }
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT /*severity*/,
                                          VkDebugUtilsMessageTypeFlagsEXT /*types*/,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* messages) {
  static_cast<std::vector<std::string>*>(messages)->emplace_back(data->pMessage);
  return VK_FALSE;
}

}  // namespace

// The functions that are used; each is looked up by its name.
struct PlainVulkan::Functions {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  PFN_vkGetInstanceProcAddr get = nullptr;

  Functions() {
    if (library == nullptr) {
      throw std::runtime_error("libvulkan.so.1 is missing");
    }
    get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(  // NOLINT: dlsym gives functions as data
        dlsym(library, "vkGetInstanceProcAddr"));
  }
  Functions(const Functions&) = delete;
  Functions& operator=(const Functions&) = delete;
  ~Functions() { dlclose(library); }

  template <typename Function>
  Function find(VkInstance instance, const char* name) const {
    const auto function = get(instance, name);
    if (function == nullptr) {
      throw std::runtime_error(std::string(name) + " is missing");
    }
    return reinterpret_cast<Function>(function);  // NOLINT: how Vulkan hands out functions
  }
};

#define CROSSLANE_VK(name) vk_->find<PFN_##name>(instance_, #name)

PlainVulkan::PlainVulkan(const EngineOptions& options) : vk_(std::make_unique<Functions>()) {
  make_instance(options);
  make_device(options);
}

void PlainVulkan::make_instance(const EngineOptions& options) {
  auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.apiVersion = options.vulkan13 ? VK_API_VERSION_1_3 : VK_API_VERSION_1_2;
  const std::array layers = {"VK_LAYER_KHRONOS_validation"};
  const std::array extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  info.enabledLayerCount = layers.size();
  info.ppEnabledLayerNames = layers.data();
  info.enabledExtensionCount = extensions.size();
  info.ppEnabledExtensionNames = extensions.data();
  check(CROSSLANE_VK(vkCreateInstance)(&info, nullptr, &instance_), "vkCreateInstance");

  auto messenger =
      structure<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  messenger.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = &on_message;
  messenger.pUserData = &messages_;
  check(CROSSLANE_VK(vkCreateDebugUtilsMessengerEXT)(instance_, &messenger, nullptr, &messenger_), "the messenger");
}

void PlainVulkan::make_device(const EngineOptions& options) {
  std::uint32_t count = 1;
  const auto found = CROSSLANE_VK(vkEnumeratePhysicalDevices)(instance_, &count, &physical_);
  if (found != VK_INCOMPLETE) {
    check(found, "vkEnumeratePhysicalDevices");
  }
  std::uint32_t families = 0;
  CROSSLANE_VK(vkGetPhysicalDeviceQueueFamilyProperties)(physical_, &families, nullptr);
  std::vector<VkQueueFamilyProperties> properties(families);
  CROSSLANE_VK(vkGetPhysicalDeviceQueueFamilyProperties)(physical_, &families, properties.data());
  while ((properties.at(family_).queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) {
    ++family_;
  }

  features_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features_.features.shaderInt64 = options.int64 ? VK_TRUE : VK_FALSE;
  features13_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  features13_.subgroupSizeControl = VK_TRUE;
  features13_.computeFullSubgroups = VK_TRUE;
  size_control_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
  size_control_.subgroupSizeControl = VK_TRUE;
  if (options.vulkan13) {
    features_.pNext = &features13_;
  } else {
    features_.pNext = &size_control_;
    extensions_.push_back(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  }

  const float priority = 1.0F;
  auto queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.pNext = &features_;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions_.size());
  info.ppEnabledExtensionNames = extensions_.data();
  check(CROSSLANE_VK(vkCreateDevice)(physical_, &info, nullptr, &device_), "vkCreateDevice");
  CROSSLANE_VK(vkGetDeviceQueue)(device_, family_, 0, &queue_);

  auto pool = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.queueFamilyIndex = family_;
  check(CROSSLANE_VK(vkCreateCommandPool)(device_, &pool, nullptr, &pool_), "vkCreateCommandPool");
}

PlainVulkan::~PlainVulkan() {
  for (const auto& buffer : buffers_) {
    CROSSLANE_VK(vkDestroyBuffer)(device_, buffer.buffer, nullptr);
    CROSSLANE_VK(vkFreeMemory)(device_, buffer.memory, nullptr);
  }
  CROSSLANE_VK(vkDestroyCommandPool)(device_, pool_, nullptr);
  CROSSLANE_VK(vkDestroyDevice)(device_, nullptr);
  CROSSLANE_VK(vkDestroyDebugUtilsMessengerEXT)(instance_, messenger_, nullptr);
  CROSSLANE_VK(vkDestroyInstance)(instance_, nullptr);
}

vulkan::ExistingDevice PlainVulkan::existing() const {
  return {instance_, physical_, device_, queue_, family_, &features_, extensions_};
}

PlainVulkan::MappedBuffer PlainVulkan::make_buffer(std::uint64_t bytes) {
  auto& made = buffers_.emplace_back();
  auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  check(CROSSLANE_VK(vkCreateBuffer)(device_, &info, nullptr, &made.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs{};
  CROSSLANE_VK(vkGetBufferMemoryRequirements)(device_, made.buffer, &needs);
  VkPhysicalDeviceMemoryProperties memory{};
  CROSSLANE_VK(vkGetPhysicalDeviceMemoryProperties)(physical_, &memory);
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  auto allocation = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocation.allocationSize = needs.size;
  while (((needs.memoryTypeBits >> allocation.memoryTypeIndex) & 1U) == 0 ||
         (memory.memoryTypes[allocation.memoryTypeIndex].propertyFlags & wanted) != wanted) {
    ++allocation.memoryTypeIndex;
  }
  check(CROSSLANE_VK(vkAllocateMemory)(device_, &allocation, nullptr, &made.memory), "vkAllocateMemory");
  check(CROSSLANE_VK(vkBindBufferMemory)(device_, made.buffer, made.memory, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  check(CROSSLANE_VK(vkMapMemory)(device_, made.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  made.words = static_cast<std::uint32_t*>(mapped);
  return made;
}

VkCommandBuffer PlainVulkan::begin_commands() {
  auto info = structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  info.commandPool = pool_;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(CROSSLANE_VK(vkAllocateCommandBuffers)(device_, &info, &commands), "vkAllocateCommandBuffers");
  const auto begin = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  check(CROSSLANE_VK(vkBeginCommandBuffer)(commands, &begin), "vkBeginCommandBuffer");
  return commands;
}

void PlainVulkan::end_and_submit_and_wait(VkCommandBuffer commands) {
  check(CROSSLANE_VK(vkEndCommandBuffer)(commands), "vkEndCommandBuffer");
  auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  check(CROSSLANE_VK(vkQueueSubmit)(queue_, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  check(CROSSLANE_VK(vkQueueWaitIdle)(queue_), "vkQueueWaitIdle");
}

}  // namespace crosslane::test
