// Collects what the checks find: one verdict per promise, with the first difference that was seen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "verify/conformance.hpp"

namespace crosslane::conformance {

/// The promises at one wave size. A promise is listed once it has been checked.
class Verdicts {
 public:
  explicit Verdicts(std::uint32_t wave_size) : wave_size_(wave_size) {}

  /// Says that the promise `name` is being checked; it is kept until told otherwise. `name` is one of those in
  /// verdicts.cpp.
  void checked(std::string_view name);
  /// Says that it is broken; only the first detail of a promise is kept.
  void broken(std::string_view name, std::string detail);
  void observed(std::string_view name, std::string value);
  [[nodiscard]] bool has_checked(std::string_view name) const;

  [[nodiscard]] const std::vector<Promise>& promises() const { return promises_; }
  [[nodiscard]] const std::vector<Observation>& observations() const { return observations_; }

 private:
  Promise& promise(std::string_view name);

  std::uint32_t wave_size_;
  std::vector<Promise> promises_;
  std::vector<Observation> observations_;
};

}  // namespace crosslane::conformance
