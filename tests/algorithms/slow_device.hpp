// What tests leave out on some devices.
#pragma once

#include <vector>

#include "crosslane/passes.hpp"
#include "support/sweep.hpp"
#include "support/test_device.hpp"

namespace crosslane::test {

/// The wave machine with few lanes takes its time.
inline bool is_slow() {
  const DeviceInfo& info = device().info();
  return info.kind == DeviceKind::machine && info.wave_sizes.standard < 16 && !long_run();
}

/// A software driver takes up to a second to compile each variant of a kernel, and several for the largest.
inline bool compiles_slowly() { return device().info().kind == DeviceKind::software && !long_run(); }

/// Software drivers go over their arrays several times: lavapipe ends waits early (docs/scan.md).
inline std::vector<Passes> all_passes() {
  if (device().info().kind == DeviceKind::software) {
    return {Passes::several};
  }
  return {Passes::one, Passes::several};
}

}  // namespace crosslane::test
