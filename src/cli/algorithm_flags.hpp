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
};

/// Adds --method (with "all" where `compares`), --device, --wave-size and --json.
void add_algorithm_flags(CLI::App& parser, AlgorithmFlags& flags, bool compares);

/// The operator of that name; sum for every other name.
Operator operator_of(const std::string& text);

/// The device that the flags mean, opened. Errors: those of choose_device; `invalid_argument` where it has no waves of
/// the size asked for.
Expected<std::unique_ptr<Device>> open_device(const AlgorithmFlags& flags, const Console& console);

/// The median time in milliseconds, and bytes over that time in GB/s, or "-".
std::string time_text(std::optional<double> milliseconds);
std::string rate_text(std::uint64_t bytes, std::optional<double> milliseconds);

}  // namespace crosslane::cli
