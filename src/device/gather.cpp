#include "device/gather.hpp"

#include <utility>

#include "crosslane/vulkan.hpp"

namespace crosslane {

DeviceList gather_devices(const GatherOptions& options) {
  DeviceList list;
  auto instance = vulkan::create_instance({options.validation});
  if (!instance) {
    list.add_failure(instance.error());
    return list;
  }
  const std::shared_ptr<vulkan::Instance> shared = std::move(*instance);
  list.add(shared->devices(), [shared](std::size_t index) { return shared->open(index); });
  return list;
}

}  // namespace crosslane
