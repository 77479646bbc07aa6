// Decisions between methods that `crosslane decide` has stored, for programs that want Method::automatic to obey them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "crosslane/method.hpp"

namespace crosslane {

/// One stored decision.
struct StoredDecision {
  std::string device_uuid;
  std::string device_name;
  std::string driver_version;
  std::uint32_t wave_size = 0;  ///< the device's standard size
  std::string algorithm;
  std::string answer;               ///< "shuffle", "groupshared" or "ambiguous"
  std::string reason;               ///< one sentence
  double threshold = 0;             ///< of the gain
  std::optional<double> gain = {};  ///< 0.2: shuffles are 20 % faster
  std::string made;                 ///< the day, as 2026-12-01
  std::string crosslane;            ///< the version that made it
};

/// What a file of decisions says. An ambiguous decision is no opinion, so that the default is taken.
class StoredDecisions final : public DecisionSource {
 public:
  StoredDecisions() = default;
  explicit StoredDecisions(std::vector<StoredDecision> decisions) : decisions_(std::move(decisions)) {}

  /// Reads a file of `crosslane decide`; one that is not there has no decisions. Errors: `invalid_input` for a file
  /// that cannot be read, is damaged, or was written by somebody else.
  static Expected<StoredDecisions> read(const std::filesystem::path& file);

  [[nodiscard]] std::optional<Method> decide(const DeviceInfo& device, std::string_view algorithm) const override;

  /// The decision for that device with its driver, or null.
  [[nodiscard]] const StoredDecision* find(const DeviceInfo& device, std::string_view algorithm) const;
  /// One for a device of that name with another driver, where there is none for this one; else null.
  [[nodiscard]] const StoredDecision* find_outdated(const DeviceInfo& device, std::string_view algorithm) const;
  [[nodiscard]] const std::vector<StoredDecision>& all() const { return decisions_; }

  /// Adds one, in place of one for the same device and algorithm, whatever its driver.
  void put(StoredDecision decision);
  /// Removes those of an algorithm, of all for an empty name. Gives how many.
  std::size_t forget(std::string_view algorithm);
  /// What read() reads, as text.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<StoredDecision> decisions_;
};

}  // namespace crosslane
