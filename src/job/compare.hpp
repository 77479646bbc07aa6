// Whether a buffer holds what was expected, by the rules of LLVM's offload test suite.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "job/job.hpp"

namespace crosslane::job {

/// Two numbers that differ more than the rule allows.
struct Difference {
  std::uint64_t element = 0;  ///< of an array of buffers; 0 where there is one
  std::uint64_t index = 0;    ///< in numbers from the beginning of the buffer
  std::uint64_t actual = 0;   ///< bits
  std::uint64_t expected = 0;
};

struct Verdict {
  bool holds = true;
  std::uint64_t compared = 0;   ///< numbers
  std::uint64_t differing = 0;  ///< numbers
  Format actual_format =
      Format::hex8;  ///< in which differences are told; bytes where the buffers' formats differ in size
  Format expected_format = Format::hex8;
  std::vector<Difference> first;  ///< the first few
  std::string reason;             ///< where the buffers cannot be compared: their sizes differ
};

inline constexpr std::size_t most_differences = 5;

/// BufferExact: every bit. BufferFloatULP: at most `ulps` representable numbers apart, or at most `zero_tolerance` from
/// an expected zero. BufferFloatEpsilon: less than `epsilon` apart. For both float rules NaN equals NaN, zeros of both
/// signs are equal, and with DenormMode::any a zero will do for a denormal of its sign.
Verdict compare(const ExpectedResult& result, const JobBuffer& actual, const JobBuffer& expected);

}  // namespace crosslane::job
