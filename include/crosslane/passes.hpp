// How often an algorithm goes over its array.
#pragma once

#include <cstdint>

namespace crosslane {

/// Both give the same results, but for the rounding of float sums.
enum class Passes : std::uint8_t {
  automatic,  ///< `one` where the device is known to let thread groups that have begun make progress, else `several`
  one,        ///< reads each element once; groups look back at what groups before them have published
  several,    ///< reads each element twice; no group waits for another
};

}  // namespace crosslane
