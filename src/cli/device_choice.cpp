#include "cli/device_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace crosslane::cli {
namespace {

Expected<std::vector<std::string>> verify_now(const DeviceList& devices, const DeviceInfo& info,
                                              const VerificationStore& store) {
  const auto place = std::ranges::find(devices.devices(), info.id, &DeviceInfo::id);
  const auto device = devices.open(static_cast<std::size_t>(place - devices.devices().begin()));
  if (!device) {
    return tl::unexpected(device.error());
  }
  const Expected<ConformanceReport> report = verify(**device);
  if (!report) {
    return tl::unexpected(report.error());
  }
  store.remember(info, broken_promises(*report));
  return broken_promises(*report);
}

}  // namespace

std::vector<std::string> broken_promises(const ConformanceReport& report) {
  std::vector<std::string> broken;
  for (const Promise& promise : report.promises) {
    if (!promise.kept && std::ranges::find(broken, promise.name) == broken.end()) {
      broken.push_back(promise.name);
    }
  }
  return broken;
}

Expected<std::unique_ptr<Device>> choose_device(const DeviceList& devices, const std::string& wanted,
                                                const VerificationStore& store, const Console& console) {
  std::vector<std::string> why_not;
  const auto keeps_its_promises = [&](const DeviceInfo& info) {
    Expected<std::vector<std::string>> broken = std::vector<std::string>();
    if (std::optional<std::vector<std::string>> known = store.broken_promises(info)) {
      broken = *std::move(known);
    } else {
      report_progress(console, fmt::format("verifying {} ({}), once per version of its driver …", info.id, info.name));
      broken = verify_now(devices, info, store);
    }
    if (!broken) {
      why_not.push_back(fmt::format("{} could not be verified: {}", info.id, broken.error().message));
      return false;
    }
    if (!broken->empty()) {
      why_not.push_back(fmt::format("{} breaks its promises {}; crosslane devices --verify shows how", info.id,
                                    fmt::join(*broken, ", ")));
      return false;
    }
    return true;
  };
  Expected<std::size_t> chosen = devices.choose(wanted, keeps_its_promises);
  if (!chosen) {
    std::vector<std::string>& reasons = chosen.error().reasons;
    reasons.insert(reasons.end(), why_not.begin(), why_not.end());
    return tl::unexpected(std::move(chosen.error()));
  }
  return devices.open(*chosen, wave_size_in(wanted));
}

}  // namespace crosslane::cli
