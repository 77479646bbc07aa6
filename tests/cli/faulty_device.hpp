// The wave machine with a method that fails.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "algorithms/limited_device.hpp"
#include "crosslane/machine.hpp"
#include "support/expected.hpp"

namespace crosslane::cli::test {

enum class Fault {
  wrong,        ///< its lanes exchange values wrongly: no algorithm is made for waves of three
  unsupported,  ///< the device refuses it
};

class FaultyDevice : public crosslane::test::LimitedDevice {
 public:
  /// Pipelines whose name holds `part` have the fault.
  FaultyDevice(Device& device, std::string part, Fault fault)
      : LimitedDevice(device, device.info().limits.binding_bytes, device.info().limits.groups[0]),
        part_(std::move(part)),
        fault_(fault) {}

  [[nodiscard]] Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& description) override {
    auto changed = description;
    if (description.name.find(part_) != std::string::npos) {
      if (fault_ == Fault::unsupported) {
        return fail(ErrorCode::unsupported, "refused by the test");
      }
      changed.wave_size = 3;
    }
    return LimitedDevice::create_pipeline(changed);
  }

 private:
  std::string part_;
  Fault fault_;
};

}  // namespace crosslane::cli::test
