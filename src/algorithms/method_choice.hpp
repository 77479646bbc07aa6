// Which method an algorithm runs by, and whether the device has what that takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "crosslane/device.hpp"
#include "crosslane/method.hpp"
#include "crosslane/operator.hpp"

namespace crosslane {

/// The method that will run, and why if it is not the one asked for.
struct MethodChoice {
  Method method = Method::groupshared;
  std::string note;
};

/// What an algorithm's options say of its method.
struct MethodRequest {
  std::string_view algorithm;  ///< as a DecisionSource knows it
  Method method = Method::automatic;
  const DecisionSource* decisions = nullptr;
  std::optional<std::uint32_t> wave_size;
  ScalarType computed = ScalarType::u32;  ///< the type that lanes exchange
};

/// The method asked for; for `automatic` the DecisionSource's or the default, and `groupshared` where the device lacks
/// what that needs.
MethodChoice choose_method(const DeviceInfo& device, const MethodRequest& request);

/// The type that is combined: float minima and maxima work on integer keys.
ScalarType computed_type(ScalarType type, Operator op);

/// Errors: `invalid_argument` where `op` is not defined for `type`; `unsupported` where the device lacks the type or
/// the wave operations on it.
Expected<void> check_types(const DeviceInfo& device, ScalarType type, Operator op, Method method);

}  // namespace crosslane
