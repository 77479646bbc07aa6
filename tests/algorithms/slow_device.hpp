// Where the sweeps of every day are thinner.
#pragma once

#include "support/sweep.hpp"
#include "support/test_device.hpp"

namespace crosslane::test {

/// The wave machine with few lanes takes its time.
inline bool is_slow() {
  const DeviceInfo& info = device().info();
  return info.kind == DeviceKind::machine && info.wave_sizes.standard < 16 && !long_run();
}

}  // namespace crosslane::test
