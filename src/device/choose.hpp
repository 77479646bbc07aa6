// The devices of all back ends in one list, and which of them a name means.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"

namespace crosslane {

class DeviceList {
 public:
  using Open = std::function<Expected<std::unique_ptr<Device>>(std::size_t)>;
  using Accept = std::function<bool(const DeviceInfo&)>;

  /// Adds one back end's devices; `open` is handed a device's place among these.
  void add(const std::vector<DeviceInfo>& devices, Open open);
  /// Notes why a back end has no devices; it is told where nothing else is found.
  void add_failure(const Error& why);

  [[nodiscard]] const std::vector<DeviceInfo>& devices() const { return devices_; }
  [[nodiscard]] const std::vector<Error>& failures() const { return failures_; }

  /// Finds a device's place in `devices()`: by its id ("vulkan:0"), by any part of its name in any case, or by "auto":
  /// the first GPU that `accept` takes, else the first software driver that it takes. Errors: `invalid_argument` for
  /// a name that means no device or several, `device` where there is none at all or `accept` takes none.
  [[nodiscard]] Expected<std::size_t> choose(std::string_view wanted = "auto", const Accept& accept = {}) const;

  /// Opens the device at that place in `devices()`.
  [[nodiscard]] Expected<std::unique_ptr<Device>> open(std::size_t index) const;

 private:
  struct Place {
    std::size_t backend = 0;
    std::size_t index = 0;
  };
  [[nodiscard]] Expected<std::size_t> choose_automatically(const Accept& accept) const;
  [[nodiscard]] Expected<std::size_t> choose_by_name(std::string_view wanted) const;
  [[nodiscard]] std::string listing() const;

  std::vector<DeviceInfo> devices_;
  std::vector<Place> places_;
  std::vector<Open> backends_;
  std::vector<Error> failures_;
};

}  // namespace crosslane
