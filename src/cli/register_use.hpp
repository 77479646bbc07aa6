// What a shader takes of a device's registers and memory, by its driver's compiler.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "device/vulkan/pipeline_statistics.hpp"
#include "measure/decision.hpp"

namespace crosslane::cli {

/// The drivers' names for the same things, made one. What a driver does not tell is nothing.
struct RegisterUse {
  std::string shader;
  std::uint32_t wave_size = 0;
  std::optional<std::uint64_t> registers = {};          ///< of a thread; vector registers where there are two kinds
  std::optional<std::uint64_t> spilled = {};            ///< registers or bytes that went to memory
  std::optional<std::uint64_t> groupshared_bytes = {};  ///< of a group
  std::optional<double> waves_at_a_time = {};           ///< of a processor or a SIMD unit
  std::string occupancy_note;                           ///< how the last one is known
  std::vector<vulkan::PipelineStatistic> statistics;    ///< as the driver tells them
};

/// Reads the drivers' statistics. `vendor` is DeviceInfo::vendor.
RegisterUse register_use(std::string shader, const std::string& vendor, const vulkan::PipelineStatistics& statistics);

/// Passes where nothing is spilled; nothing where no driver said so.
measure::Evidence register_evidence(const std::vector<RegisterUse>& uses);

/// Notes what pipelines are made on another device, so that its driver can be asked about them.
class PipelineSpy final : public Device {
 public:
  explicit PipelineSpy(Device& device) : device_(device) {}

  [[nodiscard]] const DeviceInfo& info() const override { return device_.info(); }
  Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription& description) override {
    return device_.create_buffer(description);
  }
  Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& description) override;
  Expected<std::unique_ptr<CommandList>> create_command_list() override { return device_.create_command_list(); }
  Expected<void> submit(CommandList& list) override { return device_.submit(list); }
  Expected<void> wait(CommandList& list) override { return device_.wait(list); }
  Expected<std::vector<double>> timestamps(CommandList& list) override { return device_.timestamps(list); }

  /// What the driver says of all pipelines made so far. Errors: `unsupported` where it says nothing.
  [[nodiscard]] Expected<std::vector<RegisterUse>> ask() const;

 private:
  struct Made {
    PipelineDescription description;
    std::vector<std::uint32_t> words;
  };
  Device& device_;
  std::vector<Made> made_;
};

}  // namespace crosslane::cli
