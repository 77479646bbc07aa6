// Pipelines of kernels in tables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/kernel.hpp"

namespace crosslane {

/// The pipeline of the kernel `name` in `table`, the library's own where that is empty, in waves of `wave_size` lanes
/// where that is given, with the specialization `constants`. Errors: `unsupported` where there is no such kernel; those
/// of check_wave_size and of the device.
Expected<std::unique_ptr<Pipeline>> create_kernel_pipeline(Device& device, const std::string& name,
                                                           std::optional<std::uint32_t> wave_size,
                                                           std::span<const Kernel> table = {},
                                                           std::vector<SpecializationConstant> constants = {});

}  // namespace crosslane
