#include "device/vulkan/pipeline_statistics.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "device/vulkan/device.hpp"
#include "device/vulkan/pipeline.hpp"

namespace crosslane::vulkan {
namespace {

StatisticValue value_of(const vk::PipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case vk::PipelineExecutableStatisticFormatKHR::eBool32:
      return std::uint64_t{statistic.value.b32 == VK_TRUE ? 1U : 0U};
    case vk::PipelineExecutableStatisticFormatKHR::eInt64:
      return std::int64_t{statistic.value.i64};
    case vk::PipelineExecutableStatisticFormatKHR::eUint64:
      // NVIDIA's driver 580 writes 32 bits of this one and leaves 16 in the word above them.
      return std::string_view(statistic.name.data()) == "Local Memory Size"
                 ? std::uint64_t{static_cast<std::uint32_t>(statistic.value.u64)}
                 : std::uint64_t{statistic.value.u64};
    default:
      return statistic.value.f64;
  }
}

}  // namespace

Expected<PipelineStatistics> pipeline_statistics(Device& device, const PipelineDescription& description) {
  const auto* const own = dynamic_cast<VulkanDevice*>(&device);
  if (own == nullptr || !own->state()->description.features.pipeline_executable_info) {
    return fail(ErrorCode::unsupported, fmt::format("{} ({}) does not tell what its compiler makes of shaders",
                                                    device.info().id, device.info().name));
  }
  return guarded("Asking for a pipeline's statistics", [&]() -> Expected<PipelineStatistics> {
    const auto pipeline = VulkanPipeline::create(own->state(), description, PipelineUse::statistics);
    if (!pipeline) {
      return tl::unexpected<Error>(pipeline.error());
    }
    PipelineStatistics result{(*pipeline)->wave_size(), (*pipeline)->group_size(), {}};
    const vk::Pipeline handle = dynamic_cast<const VulkanPipeline&>(**pipeline).handle();
    const auto& made_by = own->state()->device;
    const auto executables = made_by.getPipelineExecutablePropertiesKHR(vk::PipelineInfoKHR(handle));
    for (std::uint32_t i = 0; i < executables.size(); ++i) {
      if (executables[i].subgroupSize != 0) {
        result.wave_size = executables[i].subgroupSize;
      }
      for (const auto& statistic :
           made_by.getPipelineExecutableStatisticsKHR(vk::PipelineExecutableInfoKHR(handle, i))) {
        result.statistics.push_back({statistic.name.data(), statistic.description.data(), value_of(statistic)});
      }
    }
    return result;
  });
}

}  // namespace crosslane::vulkan
