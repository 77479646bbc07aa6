// How grave a race is: one table, the same as in docs/check.md.
#pragma once

#include "crosslane/check.hpp"
#include "sanitize/relation.hpp"

namespace crosslane::sanitize {

/// `same_value`: both accesses write, and the same.
Severity race_severity(Rules rules, Relation relation, bool same_value);

}  // namespace crosslane::sanitize
