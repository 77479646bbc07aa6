#include "algorithms/wave_size.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <fmt/format.h>

namespace crosslane {

Expected<void> check_wave_size(const DeviceInfo& device, std::optional<std::uint32_t> asked) {
  const WaveSizes& sizes = device.wave_sizes;
  const std::uint32_t lanes = asked.value_or(sizes.standard);
  if (std::has_single_bit(lanes) && lanes >= sizes.minimum && lanes <= sizes.maximum) {
    return {};
  }
  const std::string offered = sizes.minimum == sizes.maximum
                                  ? std::to_string(sizes.minimum)
                                  : fmt::format("a power of two from {} to {}", sizes.minimum, sizes.maximum);
  return fail(ErrorCode::unsupported, fmt::format("algorithms do not run in waves of {} lanes on {} ({}): ask for {}",
                                                  lanes, device.id, device.name, offered));
}

std::vector<std::uint32_t> chosen_wave_sizes(const DeviceInfo& device) {
  std::vector<std::uint32_t> sizes;
  const WaveSizes& has = device.wave_sizes;
  const bool chooses = device.features.wave_size_control && has.minimum != has.maximum;
  for (std::uint32_t size = std::max(has.minimum, 1U); chooses && size <= has.maximum; size *= 2) {
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace crosslane
