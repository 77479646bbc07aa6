// The devices of all back ends in one list, and which of them a name means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"

namespace crosslane {

class DeviceList {
 public:
  using Open = std::function<Expected<std::unique_ptr<Device>>(std::size_t, std::optional<std::uint32_t> wave_size)>;
  using Accept = std::function<bool(const DeviceInfo&)>;

  /// Adds one back end's devices; `open` is handed a device's place among these and the standard wave size that its
  /// user wants, where devices have one to choose.
  void add(const std::vector<DeviceInfo>& devices, Open open);
  /// Notes why a back end has no devices; it is told where a device is not found.
  void add_failure(const Error& why);

  [[nodiscard]] const std::vector<DeviceInfo>& devices() const { return devices_; }
  [[nodiscard]] const std::vector<Error>& failures() const { return failures_; }

  /// Finds a device's place in `devices()`: by its id ("vulkan:0"; "machine:64" is the machine with waves of 64 lanes),
  /// by any part of its name in any case, or by "auto": the first GPU that `accept` takes, else the wave machine, else
  /// the first software driver that it takes. Errors: `invalid_argument` for
  /// a name that means no device or several, `device` where there is none at all or `accept` takes none.
  [[nodiscard]] Expected<std::size_t> choose(std::string_view wanted = "auto", const Accept& accept = {}) const;

  /// Opens the device at that place in `devices()`.
  [[nodiscard]] Expected<std::unique_ptr<Device>> open(std::size_t index,
                                                       std::optional<std::uint32_t> wave_size = {}) const;

 private:
  struct Place {
    std::size_t backend = 0;
    std::size_t index = 0;
  };
  [[nodiscard]] Expected<std::size_t> choose_automatically(const Accept& accept) const;
  [[nodiscard]] Expected<std::size_t> choose_by_name(std::string_view wanted) const;
  [[nodiscard]] std::string listing() const;
  [[nodiscard]] std::vector<std::string> why_not_more() const;  ///< of each back end that has no devices

  std::vector<DeviceInfo> devices_;
  std::vector<Place> places_;
  std::vector<Open> backends_;
  std::vector<Error> failures_;
};

/// The wave size in "machine:64", in any case; nothing in any other name.
std::optional<std::uint32_t> wave_size_in(std::string_view wanted);

}  // namespace crosslane
