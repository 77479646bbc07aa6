// What --where says: "nonzero", "positive", or a comparison with a number, as "> 0.5".
#pragma once

#include <string>
#include <string_view>

#include "crosslane/compaction.hpp"
#include "crosslane/error.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane::cli {

/// The comparison that `text` means for elements of that type. Integers are decimal digits behind a sign or none;
/// floats are decimal numbers, inf or nan in any case, and become the nearest value of the type. Errors:
/// `invalid_argument` for other texts, and for numbers beyond the values of the type.
Expected<ByComparison> parse_condition(std::string_view text, ScalarType type);

}  // namespace crosslane::cli
