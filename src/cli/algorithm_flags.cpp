#include "cli/algorithm_flags.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <bit>
#include <string_view>
#include <utility>

#include "cli/device_choice.hpp"
#include "cli/verb.hpp"
#include "cli/verification_store.hpp"
#include "device/gather.hpp"

namespace crosslane::cli {
namespace {

constexpr std::string_view every_method = "all";

std::vector<std::string> method_names(bool with_all) {
  std::vector<std::string> names{std::string(name(Method::automatic))};
  for (const Method method : all_methods) {
    names.emplace_back(name(method));
  }
  if (with_all) {
    names.emplace_back(every_method);
  }
  return names;
}

Expected<void> check_wave_size(const DeviceInfo& device, std::optional<std::uint32_t> wave_size) {
  const WaveSizes& sizes = device.wave_sizes;
  if (!wave_size || (std::has_single_bit(*wave_size) && *wave_size >= sizes.minimum && *wave_size <= sizes.maximum)) {
    return {};
  }
  const std::string offered = sizes.minimum == sizes.maximum
                                  ? std::to_string(sizes.minimum)
                                  : fmt::format("powers of two from {} to {}", sizes.minimum, sizes.maximum);
  return fail(ErrorCode::invalid_argument,
              fmt::format("--wave-size: {} ({}) has no waves of {} lanes: use {}, or leave the flag out", device.id,
                          device.name, *wave_size, offered));
}

}  // namespace

std::vector<Method> AlgorithmFlags::methods() const {
  std::vector<Method> named;
  for (const Method candidate : all_methods) {
    if (method == every_method || method == name(candidate)) {
      named.push_back(candidate);
    }
  }
  if (named.empty()) {
    named.push_back(Method::automatic);
  }
  return named;
}

void add_algorithm_flags(CLI::App& parser, AlgorithmFlags& flags, bool compares) {
  parser
      .add_option("--method", flags.method,
                  compares ? "How lanes exchange values; all runs and compares the three" : "How lanes exchange values")
      ->check(CLI::IsMember(method_names(compares)))
      ->capture_default_str();
  parser.add_option("--device", flags.device, "auto, an id as vulkan:0, or a part of the device's name")
      ->capture_default_str();
  parser
      .add_option("--wave-size", flags.wave_size, "Lanes per wave to ask for; the device's standard size if not given")
      ->check(CLI::Range(1U, 128U));
  parser.add_flag("--json", json_flag_help)->disable_flag_override();
}

Operator operator_of(const std::string& text) {
  for (const Operator op : all_operators) {
    if (name(op) == text) {
      return op;
    }
  }
  return Operator::sum;
}

Expected<std::unique_ptr<Device>> open_device(const AlgorithmFlags& flags, const Console& console) {
  const VerificationStore store(VerificationStore::default_file());
  auto device = choose_device(gather_devices(), flags.device, store, console);
  if (device) {
    if (Expected<void> offered = check_wave_size((*device)->info(), flags.wave_size); !offered) {
      return tl::unexpected(std::move(offered.error()));
    }
  }
  return device;
}

std::string time_text(std::optional<double> milliseconds) {
  return milliseconds ? fmt::format("{:.4f}", *milliseconds) : "-";
}

std::string rate_text(std::uint64_t bytes, std::optional<double> milliseconds) {
  const bool has_rate = milliseconds && *milliseconds > 0.0 && bytes > 0;
  return has_rate ? fmt::format("{:.2f}", static_cast<double>(bytes) / *milliseconds / 1e6) : "-";
}

}  // namespace crosslane::cli
