// Samples of a work's time by the device's own clock: some repeats over sets of arrays in rotation between two
// timestamps, each repeat behind a barrier, as where the next step needs the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "crosslane/device.hpp"
#include "measure/rounds.hpp"
#include "measure/workload.hpp"

namespace crosslane::measure {

/// Whose turn it is among the sets: everybody that takes turns goes on where the last one stopped, so that nobody finds
/// in the caches what another has just used.
class Rotation {
 public:
  explicit Rotation(std::size_t sets) : sets_(sets) {}
  std::size_t next() { return next_++ % sets_; }

 private:
  std::size_t sets_;
  std::size_t next_ = 0;
};

/// Milliseconds of one of `repeats` runs. Errors: those of the work and the device; `unsupported` where the device has
/// no timestamps.
Expected<double> time_repeats(Device& device, const Work& work, Rotation& rotation, std::uint32_t repeats);

/// How many repeats last `sample_ms`: at least 1, at most 1024. Runs the work a few times, which warms it up.
Expected<std::uint32_t> repeats_lasting(Device& device, const Work& work, Rotation& rotation, double sample_ms);

}  // namespace crosslane::measure
