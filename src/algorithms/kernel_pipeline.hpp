// Pipelines of the library's own kernels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "crosslane/device.hpp"

namespace crosslane {

/// The pipeline of the kernel `name`, in waves of `wave_size` lanes where that is given. Errors: `unsupported` where
/// this build has no such kernel; the device's.
Expected<std::unique_ptr<Pipeline>> create_kernel_pipeline(Device& device, const std::string& name,
                                                           std::optional<std::uint32_t> wave_size);

}  // namespace crosslane
