#include "device/gather.hpp"

#include <utility>

#include "crosslane/vulkan.hpp"
#include "crosslane/machine.hpp"

namespace crosslane {

DeviceList gather_devices(const GatherOptions& options) {
  DeviceList list;
  list.add({machine::describe_device()}, [](std::size_t, std::optional<std::uint32_t> wave_size) {
    return wave_size ? machine::create_device(*wave_size) : machine::create_device();
  });
  auto instance = vulkan::create_instance({options.validation});
  if (!instance) {
    list.add_failure(instance.error());
    return list;
  }
  const std::shared_ptr<vulkan::Instance> shared = std::move(*instance);
  list.add(shared->devices(),
           [shared](std::size_t index, std::optional<std::uint32_t>) { return shared->open(index); });
  return list;
}

}  // namespace crosslane
