// A device that is honest but for one lie: the faults seen in drivers, made to order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crosslane/device.hpp"

namespace crosslane::verify_tests {

/// What a conformance shader recorded, as it lies in memory: two words per slot and thread, slot by slot.
struct Records {
  std::string shader;               ///< "verify.reduce.u32.128"
  std::span<std::uint64_t> values;  ///< [slot][thread]
  std::uint32_t threads;

  std::uint64_t& at(std::uint32_t slot, std::uint32_t thread) const {
    return values[std::size_t{slot} * threads + thread];
  }
};

/// The lies; each is empty for the truth.
struct Lies {
  std::function<void(DeviceInfo&)> info = {};
  std::function<std::optional<Error>(const std::string& shader)> refuse_pipeline = {};
  std::function<void(std::vector<std::uint32_t>& spirv)> compile = {};
  std::function<std::optional<Error>()> fail_submit = {};
  std::function<void(const Records&)> results = {};
};

class LyingDevice : public Device {
 public:
  LyingDevice(Device& honest, Lies lies);

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription& description) override;
  Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& description) override;
  Expected<std::unique_ptr<CommandList>> create_command_list() override;
  Expected<void> submit(CommandList& list) override;
  Expected<void> wait(CommandList& list) override;
  Expected<std::vector<double>> timestamps(CommandList& list) override;

 private:
  friend class ListeningCommandList;

  Device& honest_;
  Lies lies_;
  DeviceInfo info_;
  std::map<const Pipeline*, std::string> shader_names_;
  std::string last_shader_;
  std::uint32_t last_threads_ = 0;
};

/// Replaces every instruction `from` by `to`, which has the same operands.
void replace_opcode(std::vector<std::uint32_t>& spirv, std::uint32_t from, std::uint32_t to);

}  // namespace crosslane::verify_tests
