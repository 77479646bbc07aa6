// Conditions on features, as LLVM's test files write them: "Half && !(DXC || Metal)".
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "crosslane/error.hpp"

namespace crosslane::job {

/// Says of a feature's name whether it is there.
using HasFeature = std::function<bool(std::string_view)>;

/// Whether the condition holds: names, !, &&, || and parentheses; `true` and `*` always hold. Errors: `invalid_input`
/// with the condition for all else.
Expected<bool> holds(std::string_view condition, const HasFeature& has);

}  // namespace crosslane::job
