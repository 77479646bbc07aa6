// What the comparisons share on the host.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "crosslane/error.hpp"
#include "crosslane/vulkan.hpp"

namespace peers {

template <typename T>
T value_or_exit(crosslane::Expected<T> expected) {
  if (!expected) {
    std::cerr << "peers: " << expected.error().message << '\n';
    for (const auto& reason : expected.error().reasons) {
      std::cerr << "  " << reason << '\n';
    }
    std::exit(3);
  }
  if constexpr (!std::is_void_v<T>) {
    return std::move(*expected);
  }
}

inline double percentile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

/// The first GPU there is.
inline std::unique_ptr<crosslane::Device> open_gpu(crosslane::vulkan::Instance& instance) {
  const auto gpu = std::find_if(instance.devices().begin(), instance.devices().end(),
                                [](const auto& info) { return info.kind == crosslane::DeviceKind::gpu; });
  if (gpu == instance.devices().end()) {
    std::cerr << "peers: no Vulkan GPU\n";
    std::exit(3);
  }
  return value_or_exit(instance.open(static_cast<std::size_t>(gpu - instance.devices().begin())));
}

}  // namespace peers
