// Which of a shader's DXIL containers a pipeline takes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "crosslane/device.hpp"

namespace crosslane {

/// The variant for waves of `wanted` lanes, or for the size that the driver chooses. `name` is the shader's. Errors:
/// `unsupported` where there is none, or only for sizes that `device` does not have or cannot be asked for.
Expected<const DxilShader*> choose_variant(const DeviceInfo& device, std::span<const DxilShader> variants,
                                           std::optional<std::uint32_t> wanted, std::string_view name);

}  // namespace crosslane
