// JSON values shared by all verbs. Every document begins with "schema_version", the same shape for one and for many.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "report/scalar.hpp"

namespace crosslane::report {

/// Keys keep the order in which they were added.
using Json = nlohmann::ordered_json;

inline constexpr int schema_version = 1;

/// A document with its "schema_version".
Json document();

/// Exact in every reader: integers beyond 2^53 in magnitude become strings, NaN and infinities "NaN", "Infinity",
/// "-Infinity".
Json exact(std::uint64_t value);
Json exact(std::int64_t value);
Json exact(double value);
Json exact(const Scalar& value);

/// What names a device and tells its driver and wave sizes.
Json device_summary(const DeviceInfo& info);
/// The summary, then processors (null where the driver does not tell), features and limits.
Json device_details(const DeviceInfo& info);

/// {"code":…,"message":…,"reasons":[…]}
Json error_object(const Error& error);

/// The document as text with a newline at its end; bytes that are no UTF-8 (file names) are replaced.
std::string dump(const Json& document);

}  // namespace crosslane::report
