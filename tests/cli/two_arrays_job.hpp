// A job of two arrays of floats for tests: In, all 3, and Out.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace crosslane::test {

/// `groups` thread groups of 64 threads, an element each.
inline std::string two_arrays_job(std::uint32_t groups) {
  return fmt::format(R"(---
Shaders:
  - Stage: Compute
    Entry: main
    DispatchSize: [{0}, 1, 1]
Buffers:
  - Name: In
    Format: Float32
    Stride: 4
    FillSize: {1}
    FillValue: 3
  - Name: Out
    Format: Float32
    Stride: 4
    FillSize: {1}
DescriptorSets:
  - Resources:
    - Name: In
      Kind: StructuredBuffer
      DirectXBinding: {{Register: 0, Space: 0}}
    - Name: Out
      Kind: RWStructuredBuffer
      DirectXBinding: {{Register: 0, Space: 0}}
...
)",
                     groups, std::uint64_t{groups} * 64 * sizeof(float));
}

}  // namespace crosslane::test
