#include "sanitize/undefined_value.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "machine/wave.hpp"

namespace crosslane::sanitize {
namespace {

using machine::Cause;
using machine::Use;

struct Wording {
  std::string_view id;
  std::string_view origin;  ///< what the instruction does that makes the value undefined
  std::string_view hint;
};

Wording wording(Cause cause) {
  switch (cause) {
    case Cause::lane_out_of_range:
      return {"lane-out-of-range", "reads a lane that the wave does not have",
              "Use the value only in lanes whose source lane exists, take the lane modulo the wave size, or read the "
              "wave size instead of assuming one."};
    case Cause::lane_inactive:
      return {"lane-inactive", "reads a lane that is not active there",
              "Move the wave operation out of the branch, so that all lanes run it, and select afterwards."};
    case Cause::uninitialized_groupshared:
      return {"uninitialized-read", "reads groupshared memory that nothing has written",
              "Write every place that is read, and put a barrier between."};
    case Cause::undefined_value:
    case Cause::uninitialized_variable:
      return {"uninitialized-read", "reads a variable that nothing has set",
              "Give the variable a value on every path."};
    case Cause::outside_of_buffer:
      return {"buffer-out-of-bounds", "reads outside of the buffer",
              "Compare the index with the buffer's length, or clamp it."};
    case Cause::outside_of_image:
      return {"buffer-out-of-bounds", "reads outside of the image or typed buffer",
              "Compare the coordinates with the image's size, or clamp them."};
    case Cause::outside_of_array:
      return {"buffer-out-of-bounds", "takes an element outside of its array",
              "Compare the index with the array's length, or clamp it."};
    case Cause::shift_amount:
      return {"undefined-arithmetic", "shifts by as many bits as the number has, or more",
              "Mask the amount, or treat the whole width on its own."};
    case Cause::division_unsigned:
    case Cause::division_signed:
      return {"undefined-arithmetic", "divides by zero or out of range", "Test the divisor first."};
    case Cause::remainder_of_negative:
      return {"undefined-arithmetic", "takes the remainder of a negative number, or by one",
              "Bring both numbers above zero first, or use unsigned ones."};
    case Cause::conversion:
      return {"undefined-arithmetic", "converts a float that the integer type cannot hold",
              "Clamp the float before the conversion."};
    default:
      return {"uninitialized-read", "makes an undefined value", ""};
  }
}

std::string_view use_name(Use use) {
  switch (use) {
    case Use::store:
      return "stores it in a buffer";
    case Use::branch:
      return "branches on it";
    case Use::address:
      return "uses it as an address";
    default:
      return "uses it in an atomic";
  }
}

std::string example(const machine::Wave& wave, const machine::UndefinedEvent& event) {
  const auto lane = event.lanes.first();
  auto who = lane_name(wave, lane);
  if (event.details.empty()) {
    return who;
  }
  const auto detail = event.details[lane];
  switch (event.cause) {
    case Cause::lane_out_of_range:
      return detail == 0xFFFFFFFF ? fmt::format("{} reads a lane beyond its wave of {}", who, wave.lanes)
                                  : fmt::format("{} reads lane {} of {}", who, detail, wave.lanes);
    case Cause::lane_inactive:
      return fmt::format("{} reads lane {}, which is not active", who, detail);
    case Cause::uninitialized_groupshared:
    case Cause::outside_of_buffer:
      return fmt::format("{} reads byte {}", who, detail);
    case Cause::outside_of_array:
      return fmt::format("{} takes element {}", who, detail);
    case Cause::shift_amount:
      return fmt::format("{} shifts by {}", who, detail);
    case Cause::division_unsigned:
    case Cause::division_signed:
      return fmt::format("{} divides by {}", who, static_cast<std::int32_t>(detail));
    case Cause::remainder_of_negative:
      return fmt::format("{} has {}", who, static_cast<std::int32_t>(detail));
    default:
      return who;
  }
}

}  // namespace

// Direct3D gives 0 for what lies outside of a buffer, all ones for unsigned x / 0, the nearest integer, and remainders
// with the numerator's sign.
bool UndefinedValue::is_defined(Cause cause) const {
  return reporter_.rules() == Rules::d3d12 &&
         (cause == Cause::outside_of_buffer || cause == Cause::outside_of_image || cause == Cause::division_unsigned ||
          cause == Cause::conversion || cause == Cause::remainder_of_negative);
}

bool UndefinedValue::on_undefined(const machine::Wave& wave, const machine::OpSource& source,
                                  const machine::UndefinedEvent& event) {
  if (is_defined(event.cause)) {
    return false;
  }
  auto& known = examples_[make_origin(event.cause, reporter_.number_of(source))];
  if (known.text.empty()) {
    known = {example(wave, event), event.root};
  }
  return true;
}

void UndefinedValue::on_undefined_use(const machine::Wave& wave, const machine::OpSource& source,
                                      const machine::UndefinedUse& use) {
  // Lanes with the same origin are one finding.
  for (auto left = use.lanes; left.any();) {
    const auto origin = use.origins[left.first()];
    machine::Mask same;
    machine::for_each_lane(left, [&](std::uint32_t lane) {
      if (use.origins[lane] == origin) {
        same = same | (machine::first_lanes(lane + 1) - machine::first_lanes(lane));
      }
    });
    report_use(wave, source, use.use, same, origin);
    left = left - same;
  }
}

void UndefinedValue::report_use(const machine::Wave& wave, const machine::OpSource& source, Use use,
                                machine::Mask lanes, machine::Origin origin) {
  const auto cause = machine::cause_of(origin);
  const auto words = wording(cause);
  const auto number = reporter_.number_of(source);
  const FindingKey key{std::string(words.id), machine::source_of(origin), number, static_cast<std::uint32_t>(use)};
  if (reporter_.is_known(key)) {
    return;
  }
  auto finding = finding_at(wave, lanes, std::string(words.id), Severity::error);
  finding.message = fmt::format("{} {} and {}.", lane_name(wave, lanes.first()), words.origin, use_name(use));
  finding.locations = {reporter_.location(machine::source_of(origin), std::string(words.origin)),
                       reporter_.location(number, std::string(use_name(use)))};
  if (const auto known = examples_.find(origin); known != examples_.end()) {
    finding.values = {known->second.text};
    reporter_.add_size_note(finding, known->second.root);
  }
  finding.hint = words.hint;
  reporter_.add(key, std::move(finding));
}

}  // namespace crosslane::sanitize
