// Which thread is which lane of which wave, as kernels record it: nothing promises that threads are dealt in order.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "hlsl/run_kernel.hpp"

namespace crosslane::hlsl_tests {

/// The threads of one wave by their lanes, in the order of the lanes.
using Wave = std::map<std::uint32_t, std::uint32_t>;

/// The waves of one thread group from three words of each of its threads: lane index, first thread of the wave, lane
/// count. Lanes that cannot be, and wave sizes other than the device's, fail the test by an exception.
std::vector<Wave> read_waves(const Array& placements);

/// The same, where all waves are full.
std::vector<Wave> read_full_waves(const Array& placements);

}  // namespace crosslane::hlsl_tests
