// What a driver's compiler made of a shader: registers, spills, memory (VK_KHR_pipeline_executable_properties).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"

namespace crosslane::vulkan {

/// Whole numbers stay whole: some are hashes. Flags are 0 and 1.
using StatisticValue = std::variant<std::int64_t, std::uint64_t, double>;

struct PipelineStatistic {
  std::string name;         ///< as the driver says it
  std::string description;  ///< as the driver says it
  StatisticValue value;
};

struct PipelineStatistics {
  std::uint32_t wave_size = 0;
  std::array<std::uint32_t, 3> group_size{};
  std::vector<PipelineStatistic> statistics;
};

/// Compiles the shader for the device and asks. Errors: those of making a pipeline; `unsupported` for devices of other
/// back ends and drivers without the extension.
Expected<PipelineStatistics> pipeline_statistics(Device& device, const PipelineDescription& description);

}  // namespace crosslane::vulkan
