#include "algorithms/method_choice.hpp"

#include <fmt/format.h>

namespace crosslane {
namespace {

bool has_wave_operations(const DeviceInfo& device, ScalarType type, Method method) {
  const DeviceFeatures& features = device.features;
  const bool any = method == Method::shuffle ? features.wave_shuffle : features.wave_arithmetic;
  return any && (type != ScalarType::u64 && type != ScalarType::i64 ? true : features.wave_extended_types);
}

}  // namespace

MethodChoice choose_method(const DeviceInfo& device, const MethodRequest& request) {
  if (request.method != Method::automatic) {
    return {request.method, {}};
  }
  const auto decided =
      request.decisions != nullptr ? request.decisions->decide(device, request.algorithm) : std::nullopt;
  MethodChoice choice{decided.value_or(Method::automatic), {}};
  if (choice.method == Method::automatic) {
    choice.method = default_method(request.wave_size.value_or(device.wave_sizes.standard));
  }
  if (choice.method != Method::groupshared && !has_wave_operations(device, request.computed, choice.method)) {
    choice = {Method::groupshared, fmt::format("the device lacks wave operations on {}", name(request.computed))};
  }
  return choice;
}

ScalarType computed_type(ScalarType type, Operator op) {
  if (!is_float(type) || op == Operator::sum) {
    return type;
  }
  return type == ScalarType::f64 ? ScalarType::u64 : ScalarType::u32;
}

Expected<void> check_types(const DeviceInfo& device, ScalarType type, Operator op, Method method) {
  if (!is_defined(op, type)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("operator '{}' is not defined for {}: use sum, min or max", name(op), name(type)));
  }
  const bool wide = size_of(type) == 8;
  if (type == ScalarType::f64 && !device.features.float64) {
    return fail(ErrorCode::unsupported, fmt::format("{} ({}) has no 64-bit floats", device.id, device.name));
  }
  // The canonical form of a double's sum is found on its bits.
  if (wide && !device.features.int64) {
    return fail(ErrorCode::unsupported, fmt::format("{} ({}) has no 64-bit integers", device.id, device.name));
  }
  const ScalarType computed = computed_type(type, op);
  if (method != Method::groupshared && !has_wave_operations(device, computed, method)) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} ({}) lacks the wave operations on {} that method '{}' needs: use groupshared",
                            device.id, device.name, name(computed), name(method)));
  }
  return {};
}

}  // namespace crosslane
