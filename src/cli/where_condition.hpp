// What --where says: "nonzero", "positive", or a comparison with a number, as "> 0.5".
#pragma once

#include <string>
#include <string_view>

#include "crosslane/compaction.hpp"
#include "crosslane/error.hpp"
#include "crosslane/scalar_type.hpp"

namespace crosslane::cli {

/// The comparison that `text` means for elements of that type. Errors: `invalid_argument` for other texts, and for
/// numbers that the type does not have.
Expected<ByComparison> parse_condition(std::string_view text, ScalarType type);

}  // namespace crosslane::cli
