// Runs one conformance shader and brings back what its threads recorded (kernels/verify/record.hlsli is the other
// side).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crosslane/device.hpp"

namespace crosslane::conformance {

/// What the threads of one dispatch are given. Threads are numbered through the groups.
struct Inputs {
  std::uint32_t groups = 1;
  std::uint32_t group_threads = 0;
  std::vector<std::uint64_t> values = {};    ///< [thread]
  std::vector<std::uint32_t> callers = {};   ///< [thread]: 0 where the thread returns early
  std::vector<std::int32_t> distances = {};  ///< [distance][thread]

  [[nodiscard]] std::uint32_t threads() const { return groups * group_threads; }
  [[nodiscard]] std::uint32_t distance_count() const {
    return threads() == 0 ? 0 : static_cast<std::uint32_t>(distances.size()) / threads();
  }
};

/// What they recorded: one 64-bit value per slot and thread.
class Recording {
 public:
  /// What a slot holds that was never written.
  static constexpr std::uint64_t unwritten = 0xA55AA55AA55AA55AU;

  Recording(std::uint32_t threads, std::vector<std::uint64_t> values) : threads_(threads), values_(std::move(values)) {}
  [[nodiscard]] std::uint64_t at(std::uint32_t slot, std::uint32_t thread) const {
    return values_[static_cast<std::size_t>(slot) * threads_ + thread];
  }
  [[nodiscard]] std::uint32_t threads() const { return threads_; }

 private:
  std::uint32_t threads_;
  std::vector<std::uint64_t> values_;
};

/// Runs conformance shaders on one device at one wave size; makes each pipeline once.
class Probe {
 public:
  /// `wave_size` as in PipelineDescription. The device outlives the probe.
  Probe(Device& device, std::optional<std::uint32_t> wave_size) : device_(device), wave_size_(wave_size) {}

  /// Runs the library's kernel `name` with `slots` slots per thread.
  Expected<Recording> run(const std::string& name, const Inputs& inputs, std::uint32_t slots);

 private:
  Expected<Pipeline*> pipeline(const std::string& name);

  Device& device_;
  std::optional<std::uint32_t> wave_size_;
  std::map<std::string, Expected<std::unique_ptr<Pipeline>>> pipelines_;
};

}  // namespace crosslane::conformance
