// The sum of u32 elements as an OpenCL kernel, run by Oclgrind.
#pragma once

#include <cstdint>
#include <optional>

namespace benchmark {

/// Seconds that Oclgrind's kernel runner takes for 2^`log2` elements, the time that it takes for 2^10 of them left out;
/// nothing where it is not installed or fails.
std::optional<double> time_oclgrind_sum(std::uint32_t log2);

}  // namespace benchmark
