// The flags that all algorithms have: by which method, where, and in waves of how many lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "crosslane/device.hpp"
#include "crosslane/method.hpp"
#include "crosslane/operator.hpp"
#include "report/json.hpp"

namespace CLI {
class App;
}

namespace crosslane::cli {

struct AlgorithmFlags {
  std::string method = std::string(name(Method::automatic));
  std::string device = "auto";
  std::optional<std::uint32_t> wave_size;

  /// The methods that were named, at least one: all three for "all".
  [[nodiscard]] std::vector<Method> methods() const;

  /// Lanes per wave on that device: --wave-size, else the device's standard size (that in --device machine:64).
  [[nodiscard]] std::uint32_t wave_size_on(const DeviceInfo& chosen) const;
};

/// Adds --method, --device, --wave-size and --json.
void add_algorithm_flags(CLI::App& parser, AlgorithmFlags& flags);

/// The operator of that name; sum for every other name.
Operator operator_of(const std::string& text);

/// The device that the flags mean, opened. Errors: those of choose_device; `invalid_argument` where algorithms do not
/// run in waves of the size asked for.
Expected<std::unique_ptr<Device>> open_device(const AlgorithmFlags& flags, const Console& console);

/// "on vulkan:0: …, 32 lanes per wave".
std::string device_text(const AlgorithmFlags& flags, const DeviceInfo& device);

/// Adds "device" and "wave_size".
void add_device(report::Json& json, const AlgorithmFlags& flags, const DeviceInfo& device);

}  // namespace crosslane::cli
