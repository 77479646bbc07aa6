// Looks for each known fault: compiles a small shader that shows it, without workarounds, and looks at what came out.
#pragma once

#include <span>
#include <string_view>

#include "compile/dxc_library.hpp"
#include "compile/faults.hpp"

namespace crosslane::compile {

/// Each turn of its loop counts the lanes that leave together. Behind the loop all lanes have met again, and the count
/// is another one; but the block before `break` has no other way to go, so that an optimiser may move it there.
inline constexpr std::string_view breaking_loop_source = R"(
  RWStructuredBuffer<uint> values;
  [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
    const uint value = values[thread.x];
    while (true) {
      if (value == WaveReadLaneFirst(value)) {
        values[thread.x] = WaveActiveCountBits(true);
        break;
      }
    }
  })";

struct FaultDescription {
  std::string_view name;        ///< "declares-partitioned"
  bool Faults::*seen;           ///< the member that says whether this compiler has it
  std::string_view what;        ///< what goes wrong, as a clause
  std::string_view workaround;  ///< what is done about it
};

/// One for each member of Faults, in their order.
std::span<const FaultDescription> fault_descriptions();

/// Runs one probe for each fault. A shader that does not compile at all shows no fault, except for the faults that are
/// exactly that.
Faults find_faults(const DxcLibrary& library);

}  // namespace crosslane::compile
