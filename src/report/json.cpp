#include "report/json.hpp"

#include <cmath>
#include <type_traits>

#include "report/error_text.hpp"

namespace crosslane::report {
namespace {

// Readers that keep numbers as doubles hold every integer up to here.
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

Json features_object(const DeviceFeatures& features) {
  return {
      {"int16", features.int16},
      {"int64", features.int64},
      {"float16", features.float16},
      {"float64", features.float64},
      {"storage16", features.storage16},
      {"int64_atomics", features.int64_atomics},
      {"wave_arithmetic", features.wave_arithmetic},
      {"wave_shuffle", features.wave_shuffle},
      {"wave_shuffle_relative", features.wave_shuffle_relative},
      {"wave_quad", features.wave_quad},
      {"wave_extended_types", features.wave_extended_types},
      {"wave_size_control", features.wave_size_control},
      {"full_waves", features.full_waves},
      {"maximal_reconvergence", features.maximal_reconvergence},
      {"group_progress", features.group_progress},
      {"group_order", features.group_order},
      {"denormals_preserved32", features.denormals_preserved32},
      {"denormals_preserved64", features.denormals_preserved64},
      {"timestamps", features.timestamps},
  };
}

Json limits_object(const DeviceLimits& limits) {
  return {
      {"buffer_bytes", exact(limits.buffer_bytes)},
      {"binding_bytes", exact(limits.binding_bytes)},
      {"binding_alignment", exact(limits.binding_alignment)},
      {"constants_bytes", limits.constants_bytes},
      {"groups", limits.groups},
      {"group_threads", limits.group_threads},
      {"groupshared_bytes", limits.groupshared_bytes},
  };
}

}  // namespace

Json document() { return {{"schema_version", schema_version}}; }

Json exact(std::uint64_t value) {
  return value > static_cast<std::uint64_t>(largest_exact) ? Json(std::to_string(value)) : Json(value);
}

Json exact(std::int64_t value) {
  return value > largest_exact || value < -largest_exact ? Json(std::to_string(value)) : Json(value);
}

Json exact(double value) { return std::isfinite(value) ? Json(value) : Json(text(value)); }

Json exact(const Scalar& value) {
  return std::visit(
      [](auto number) {
        using Number = decltype(number);
        if constexpr (std::is_floating_point_v<Number>) {
          return exact(static_cast<double>(number));
        } else if constexpr (std::is_signed_v<Number>) {
          return exact(static_cast<std::int64_t>(number));
        } else {
          return exact(static_cast<std::uint64_t>(number));
        }
      },
      value);
}

Json device_summary(const DeviceInfo& info) {
  return {
      {"id", info.id},
      {"name", info.name},
      {"kind", name(info.kind)},
      {"vendor", info.vendor},
      {"driver", info.driver},
      {"driver_version", info.driver_version},
      {"api_version", info.api_version},
      {"uuid", info.uuid},
      {"wave_sizes",
       {{"minimum", info.wave_sizes.minimum},
        {"maximum", info.wave_sizes.maximum},
        {"standard", info.wave_sizes.standard}}},
  };
}

Json device_details(const DeviceInfo& info) {
  Json json = device_summary(info);
  json["processors"] = info.processors == 0 ? Json() : Json(info.processors);
  json["features"] = features_object(info.features);
  json["limits"] = limits_object(info.limits);
  return json;
}

Json error_object(const Error& error) {
  return {{"code", name(error.code)}, {"message", error.message}, {"reasons", error.reasons}};
}

std::string dump(const Json& document) { return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; }

}  // namespace crosslane::report
