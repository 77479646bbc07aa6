#include "cli/decide_remedies.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/wave_size.hpp"

namespace crosslane::cli {

measure::Evidence try_wave_sizes(measure::Evidence evidence, const DeviceInfo& device, const LookAtWaveSize& look,
                                 std::string_view else_try, std::optional<std::uint32_t>& fixed) {
  if (evidence.passed != std::optional(false)) {
    return evidence;
  }
  std::vector<std::uint32_t> sizes = chosen_wave_sizes(device);
  std::erase(sizes, device.wave_sizes.standard);
  if (sizes.empty()) {
    evidence.remedy = fmt::format("there is no other wave size to try; {}", else_try);
    return evidence;
  }
  for (const std::uint32_t size : sizes) {
    const measure::Evidence other = look(size);
    if (other.passed == std::optional(true)) {
      fixed = size;
      evidence.mended = true;
      evidence.remedy =
          fmt::format("fixing waves at {} lanes helps: {}; ask for it with '--wave-size {}'", size, other.found, size);
      return evidence;
    }
  }
  evidence.mended = false;
  evidence.remedy =
      fmt::format("fixing waves at {} lanes was tried and does not help; {}", fmt::join(sizes, " or "), else_try);
  return evidence;
}

measure::Evidence promises_at(const ConformanceReport& report, std::uint32_t wave_size) {
  std::vector<std::string> broken;
  bool seen = false;
  for (const Promise& promise : report.promises) {
    seen = seen || promise.wave_size == wave_size;
    if (promise.wave_size == wave_size && !promise.kept) {
      broken.push_back(promise.name);
    }
  }
  if (!seen) {
    return {std::nullopt, "nothing was verified there", {}, ""};
  }
  return {broken.empty(),
          broken.empty() ? std::string("the driver keeps its promises there")
                         : fmt::format("the driver breaks the promises {}", fmt::join(broken, ", ")),
          {},
          ""};
}

}  // namespace crosslane::cli
