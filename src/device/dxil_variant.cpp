#include "device/dxil_variant.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "device/checks.hpp"

namespace crosslane {
namespace {

constexpr std::array<std::uint32_t, 2> wave_size_model = {6, 6};  // the first with [WaveSize]

// Whether the device runs a variant that asks for so many lanes, 0 for any number.
bool runs(const DeviceInfo& device, std::uint32_t lanes) {
  return lanes == 0 || (device.shader_model >= wave_size_model && lanes >= device.wave_sizes.minimum &&
                        lanes <= device.wave_sizes.maximum);
}

std::string sizes_text(const WaveSizes& sizes) {
  return sizes.minimum == sizes.maximum ? fmt::format("of {} lanes only", sizes.minimum)
                                        : fmt::format("of {} to {} lanes", sizes.minimum, sizes.maximum);
}

std::string why_not(const DeviceInfo& device, std::span<const DxilShader> variants,
                    std::optional<std::uint32_t> wanted) {
  const auto& sizes = device.wave_sizes;
  if (wanted && (*wanted < sizes.minimum || *wanted > sizes.maximum)) {
    return fmt::format("{} has waves {}, not {}", label(device), sizes_text(sizes), *wanted);
  }
  if (device.shader_model < wave_size_model) {
    return fmt::format("{} has shader model {}, and asking for {} lanes takes [WaveSize] of 6.6", label(device),
                       fmt::join(device.shader_model, "."), wanted.value_or(variants.front().wave_size));
  }
  if (!wanted) {
    return fmt::format("it asks for waves of {} lanes with [WaveSize], and {} has waves {}", variants.front().wave_size,
                       label(device), sizes_text(sizes));
  }
  std::vector<std::uint32_t> compiled;
  for (const DxilShader& variant : variants) {
    if (variant.wave_size != 0) {
      compiled.push_back(variant.wave_size);
    }
  }
  return fmt::format(
      "it is not compiled for waves of {} lanes, which in Direct3D 12 the shader itself asks for with "
      "[WaveSize]; there is {}",
      *wanted,
      compiled.empty() ? std::string("none for any: leave the wave size out")
                       : fmt::format("one for {}", fmt::join(compiled, ", ")));
}

}  // namespace

Expected<const DxilShader*> choose_variant(const DeviceInfo& device, std::span<const DxilShader> variants,
                                           std::optional<std::uint32_t> wanted, std::string_view name) {
  if (variants.empty()) {
    return fail(ErrorCode::unsupported,
                fmt::format("Shader \"{}\" has no DXIL, and {} takes nothing else: compile it for Direct3D 12 too.",
                            name, label(device)));
  }
  // Where there is one size, asking for it changes nothing, and takes no newer shader model.
  const bool only =
      wanted && device.wave_sizes.minimum == device.wave_sizes.maximum && *wanted == device.wave_sizes.minimum;
  const auto suits = [&](const DxilShader& variant) {
    const bool asked = !wanted || variant.wave_size == *wanted || (only && variant.wave_size == 0);
    return asked && runs(device, variant.wave_size);
  };
  const auto found = std::ranges::find_if(variants, suits);
  if (found == variants.end()) {
    return fail(ErrorCode::unsupported,
                fmt::format("Shader \"{}\" cannot run so: {}.", name, why_not(device, variants, wanted)));
  }
  return &*found;
}

}  // namespace crosslane
