// The device that `--device` means, opened. `auto` passes over devices that break a promise.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "cli/verification_store.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "device/choose.hpp"
#include "verify/conformance.hpp"

namespace crosslane::cli {

/// Opens the device that `wanted` names: "auto", an id such as "vulkan:0", or a part of a name. For `auto` devices are
/// verified that `store` does not know, which `console` is told, and what was found is stored. Errors: those of
/// DeviceList::choose and open; where `auto` may choose none, the reasons say which promises each device broke.
Expected<std::unique_ptr<Device>> choose_device(const DeviceList& devices, const std::string& wanted,
                                                const VerificationStore& store, const Console& console);

/// The names of the broken promises, each once.
std::vector<std::string> broken_promises(const ConformanceReport& report);

}  // namespace crosslane::cli
