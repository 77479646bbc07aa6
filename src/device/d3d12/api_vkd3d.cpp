#include <dlfcn.h>
#include <vulkan/vulkan_core.h>

#include <array>

#include <fmt/format.h>

#include "device/d3d12/api.hpp"

namespace crosslane::d3d12 {
namespace {

template <typename Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

// vkd3d has no adapters to be asked: a device is made of Vulkan's, and let go again.
struct Description {
  VkPhysicalDeviceIDProperties ids{};
  VkPhysicalDeviceDriverProperties driver{};
  VkPhysicalDeviceProperties2 device{};
};

bool describe(ID3D12Device* device, Description& description) {
  void* const vkd3d = dlopen("libvkd3d.so.1", RTLD_NOW | RTLD_LOCAL);
  void* const vulkan = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (vkd3d == nullptr || vulkan == nullptr) {
    return false;
  }
  const auto physical_device = find<VkPhysicalDevice (*)(ID3D12Device*)>(vkd3d, "vkd3d_get_vk_physical_device");
  const auto properties = find<PFN_vkGetPhysicalDeviceProperties2>(vulkan, "vkGetPhysicalDeviceProperties2");
  if (physical_device == nullptr || properties == nullptr) {
    return false;
  }
  description.ids.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
  description.driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  description.driver.pNext = &description.ids;
  description.device.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  description.device.pNext = &description.driver;
  properties(physical_device(device), &description.device);
  return true;
}

std::string hexadecimal(const std::array<std::uint8_t, VK_UUID_SIZE>& bytes) {
  std::string text;
  for (const auto byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

Expected<Api> load() {
  void* const library = dlopen("libvkd3d-utils.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps one message per thread
    return fail(
        ErrorCode::device,
        fmt::format("There is no Direct3D 12 here: libvkd3d-utils.so.1 cannot be loaded ({}); install vkd3d 2.1 or "
                    "later (Debian: libvkd3d-utils1).",
                    why == nullptr ? "unknown reason" : why));
  }
  Api api;
  api.create_device = find<decltype(api.create_device)>(library, "D3D12CreateDevice");
  api.get_debug_interface = find<decltype(api.get_debug_interface)>(library, "D3D12GetDebugInterface");
  api.serialize_root_signature = find<decltype(api.serialize_root_signature)>(library, "D3D12SerializeRootSignature");
  if (api.create_device == nullptr || api.serialize_root_signature == nullptr) {
    return fail(ErrorCode::device, "libvkd3d-utils.so.1 lacks D3D12CreateDevice: install vkd3d 2.1 or later.");
  }
  return api;
}

}  // namespace

Expected<const Api*> api() {
  static const auto loaded = load();
  return loaded ? Expected<const Api*>(&*loaded) : tl::unexpected<Error>(loaded.error());
}

Expected<std::vector<Adapter>> adapters(const Api& api) {
  const auto device = made<ID3D12Device>("Making a device of vkd3d", [&](REFIID id, void** place) {
    return api.create_device(nullptr, D3D_FEATURE_LEVEL_11_0, id, place);
  });
  if (!device) {
    return tl::unexpected<Error>(device.error());
  }
  Adapter adapter;
  adapter.name = "vkd3d";
  adapter.driver = "vkd3d";
  Description description;
  if (describe(device->get(), description)) {
    const auto& properties = description.device.properties;
    adapter.name = properties.deviceName;
    adapter.vendor = fmt::format("{:#06x}", properties.vendorID);
    adapter.driver = fmt::format("vkd3d on {}", description.driver.driverName);
    adapter.driver_version = description.driver.driverInfo;
    std::array<std::uint8_t, VK_UUID_SIZE> bytes{};
    std::ranges::copy(description.ids.deviceUUID, bytes.begin());
    adapter.uuid = hexadecimal(bytes);
    adapter.software = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  }
  std::vector<Adapter> list;
  list.push_back(std::move(adapter));
  return list;
}

}  // namespace crosslane::d3d12
