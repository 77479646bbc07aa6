// One finding for a fault that several runs show.
#pragma once

#include <span>
#include <vector>

#include "crosslane/check.hpp"

namespace crosslane::sanitize {

/// Takes a run's findings into those of the runs before it.
void merge_findings(std::vector<Finding>& all, std::vector<Finding> of_run, const CheckRun& run);

/// Gravest first, then in the order of the source.
void sort_findings(std::vector<Finding>& findings);

/// "waves falling, quads".
std::string order_name(const CheckRun& run);

}  // namespace crosslane::sanitize
