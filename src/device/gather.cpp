#include "device/gather.hpp"

#include <utility>

#if defined(CROSSLANE_D3D12)
#include "crosslane/d3d12.hpp"
#endif
#include "crosslane/machine.hpp"
#include "crosslane/vulkan.hpp"

namespace crosslane {

namespace {

#if defined(CROSSLANE_D3D12)
void add_d3d12(DeviceList& list, const GatherOptions& options) {
  auto instance = d3d12::create_instance({options.validation});
  if (!instance) {
    list.add_failure(instance.error());
    return;
  }
  const std::shared_ptr<d3d12::Instance> shared = std::move(*instance);
  list.add(shared->devices(),
           [shared](std::size_t index, std::optional<std::uint32_t>) { return shared->open(index); });
}
#else
void add_d3d12(DeviceList& /*list*/, const GatherOptions& /*options*/) {}
#endif

}  // namespace

DeviceList gather_devices(const GatherOptions& options) {
  DeviceList list;
  auto instance = vulkan::create_instance({options.validation});
  if (!instance) {
    list.add_failure(instance.error());
  } else {
    const std::shared_ptr<vulkan::Instance> shared = std::move(*instance);
    if (shared->devices().empty()) {
      list.add_failure({ErrorCode::device,
                        "Vulkan is installed but has no device with compute; vulkaninfo (Debian: apt install "
                        "vulkan-tools) shows what it sees.",
                        {}});
    }
    list.add(shared->devices(),
             [shared](std::size_t index, std::optional<std::uint32_t>) { return shared->open(index); });
  }
  add_d3d12(list, options);
  list.add({machine::describe_device()},
           [iterations = options.machine_iterations](std::size_t, std::optional<std::uint32_t> wave_size) {
             return machine::create_device(wave_size.value_or(machine::default_wave_size), iterations);
           });
  return list;
}

}  // namespace crosslane
