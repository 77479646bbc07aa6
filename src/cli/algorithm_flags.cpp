#include "cli/algorithm_flags.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <string_view>
#include <utility>

#include "algorithms/wave_size.hpp"
#include "cli/device_choice.hpp"
#include "cli/verb.hpp"
#include "cli/verification_store.hpp"
#include "device/gather.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

constexpr std::string_view every_method = "all";

std::vector<std::string> method_names() {
  std::vector<std::string> names{std::string(name(Method::automatic))};
  for (const Method method : all_methods) {
    names.emplace_back(name(method));
  }
  names.emplace_back(every_method);
  return names;
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

std::uint32_t AlgorithmFlags::wave_size_on(const DeviceInfo& chosen) const {
  return wave_size.value_or(chosen.wave_sizes.standard);
}

void add_algorithm_flags(CLI::App& parser, AlgorithmFlags& flags) {
  parser.add_option("--method", flags.method, "How lanes exchange values; all runs and compares them all")
      ->check(CLI::IsMember(method_names()))
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
    if (const auto sensible = check_wave_size((*device)->info(), flags.wave_size); !sensible) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--{}: {}", flags.wave_size ? "wave-size" : "device", sensible.error().message));
    }
  }
  return device;
}

std::string device_text(const AlgorithmFlags& flags, const DeviceInfo& device) {
  return fmt::format("on {}: {}, {} lanes per wave", device.id, report::printable(device.name),
                     flags.wave_size_on(device));
}

void add_device(report::Json& json, const AlgorithmFlags& flags, const DeviceInfo& device) {
  json["device"] = report::device_summary(device);
  json["wave_size"] = flags.wave_size_on(device);
}

}  // namespace crosslane::cli
