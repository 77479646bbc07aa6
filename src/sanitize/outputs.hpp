// Whether two runs left the same in the shader's outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crosslane/check.hpp"

namespace crosslane::sanitize {

/// The bytes of all resources after a run, in their order; those that are no outputs are empty.
using Outputs = std::vector<std::vector<std::byte>>;

struct OutputDifference {
  std::size_t resource = 0;
  std::uint64_t number = 0;  ///< which, from the beginning
  std::string values;        ///< "4 and 8"
};

/// The first difference that matters. `sizes`: the runs have different wave sizes, which some outputs may depend on.
std::optional<OutputDifference> first_difference(std::span<const CheckResource> resources, const Outputs& a,
                                                 const Outputs& b, bool sizes);

}  // namespace crosslane::sanitize
