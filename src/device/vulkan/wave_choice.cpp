#include "device/vulkan/wave_choice.hpp"

#include <bit>

#include <fmt/format.h>

namespace crosslane::vulkan {

// A size is asked for only where the driver leaves a choice: software drivers have been seen to take any request and
// to ignore it.
Expected<WaveChoice> choose_wave(const Description& device, std::optional<std::uint32_t> wanted,
                                 std::array<std::uint32_t, 3> group_size, const std::string& name) {
  const auto& sizes = device.info.wave_sizes;
  const bool controlled = device.info.features.wave_size_control && sizes.minimum != sizes.maximum;
  const auto lanes = wanted.value_or(sizes.standard);
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::unsupported,
                fmt::format("Shader \"{}\" asks for waves of {} lanes; {} {}.", name, lanes, label(device.info), why));
  };
  if (wanted && (!std::has_single_bit(lanes) || lanes < sizes.minimum || lanes > sizes.maximum)) {
    return refuse(sizes.minimum == sizes.maximum
                      ? fmt::format("has waves of {} lanes only", sizes.standard)
                      : fmt::format("has powers of two from {} to {}", sizes.minimum, sizes.maximum));
  }
  if (wanted && lanes != sizes.standard && !controlled) {
    return refuse(fmt::format("cannot be asked for another size than its {}", sizes.standard));
  }
  const std::uint64_t threads = std::uint64_t{group_size[0]} * group_size[1] * group_size[2];
  const bool fits = threads <= std::uint64_t{device.waves_per_group} * lanes;
  if (wanted && controlled && !fits) {
    return refuse(fmt::format("runs {} such waves per thread group at most, too few for {} threads",
                              device.waves_per_group, threads));
  }
  WaveChoice choice{lanes, controlled && fits, false};
  choice.full = device.features.full_waves && group_size[0] % (choice.required ? lanes : sizes.maximum) == 0;
  return choice;
}

}  // namespace crosslane::vulkan
