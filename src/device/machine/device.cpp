#include "device/machine/device.hpp"

#include <limits>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "device/checks.hpp"
#include "device/machine/objects.hpp"
#include "machine/decode/decode.hpp"

namespace crosslane::machine {
namespace {

class MachineDevice final : public Device {
 public:
  MachineDevice(std::uint32_t wave_size, std::uint64_t most_iterations)
      : info_(describe_device(wave_size)), most_iterations_(most_iterations) {}

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  Expected<std::unique_ptr<Buffer>> create_buffer(const BufferDescription& description) override {
    if (description.bytes == 0) {
      return fail(ErrorCode::invalid_argument, "A buffer of 0 bytes was asked for; ask for at least one byte.");
    }
    return MachineBuffer::create(description.bytes, description.memory);
  }

  Expected<std::unique_ptr<Image>> create_image(const ImageDescription& description) override {
    return MachineImage::create(description);
  }

  Expected<std::unique_ptr<Pipeline>> create_pipeline(const PipelineDescription& description) override {
    const auto name = description.name.empty() ? description.entry_point : description.name;
    auto program =
        make_program(description.spirv, {.entry_point = description.entry_point,
                                         .constants = description.constants,
                                         .wave_size = description.wave_size.value_or(info_.wave_sizes.standard),
                                         .observed = watched_,
                                         .instructions = watch_.instructions,
                                         .independent_lanes = watch_.independent_lanes,
                                         .undefined_values = watch_.undefined_values});
    if (!program) {
      return fail_because(fmt::format("{} cannot run shader \"{}\".", label(info_), name), std::move(program.error()));
    }
    return std::make_unique<MachinePipeline>(name, std::move(*program));
  }

  Expected<std::unique_ptr<CommandList>> create_command_list() override {
    Launch order;
    order.observer = watch_.observer;
    order.schedule = watch_.schedule;
    order.lane_threads = watch_.lane_threads;
    order.most_iterations = watch_.most_iterations.value_or(most_iterations_);
    return std::make_unique<MachineCommandList>(info_, std::move(order));
  }

  Expected<void> submit(CommandList& list) override {
    auto* const own = dynamic_cast<MachineCommandList*>(&list);
    return own == nullptr ? foreign() : own->submit();
  }

  Expected<void> wait(CommandList& list) override {
    auto* const own = dynamic_cast<MachineCommandList*>(&list);
    return own == nullptr ? foreign() : own->wait();
  }

  Expected<std::vector<double>> timestamps(CommandList& list) override {
    auto* const own = dynamic_cast<MachineCommandList*>(&list);
    return own == nullptr ? tl::unexpected<Error>(foreign().error()) : own->timestamps();
  }

  void set_watch(Watch watch, bool watched) {
    watch_ = std::move(watch);
    watched_ = watched;
  }

 private:
  [[nodiscard]] Expected<void> foreign() const {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A command list of another device was passed to {}.", label(info_)));
  }

  DeviceInfo info_;
  std::uint64_t most_iterations_;
  Watch watch_;
  bool watched_ = false;
};

Expected<void> set_watch(Device& device, Watch watch, bool watched) {
  auto* const own = dynamic_cast<MachineDevice*>(&device);
  if (own == nullptr) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} cannot be watched; use the wave machine, --device machine.", label(device.info())));
  }
  own->set_watch(std::move(watch), watched);
  return {};
}

}  // namespace

DeviceInfo describe_device(std::uint32_t wave_size) {
  DeviceInfo info;
  info.id = "machine";
  info.name = "Crosslane wave machine";
  info.vendor = "Crosslane";
  info.driver = "Crosslane " CROSSLANE_VERSION;
  info.driver_version = CROSSLANE_VERSION;
  info.api_version = "SPIR-V 1.6";
  info.uuid = "63726f73736c616e65206d616368696e";
  info.kind = DeviceKind::machine;
  info.processors = std::thread::hardware_concurrency();
  info.wave_sizes = {1, 128, wave_size};
  auto& features = info.features;
  for (bool* const feature :
       {&features.int16, &features.int64, &features.float16, &features.float64, &features.storage16,
        &features.int64_atomics, &features.wave_arithmetic, &features.wave_shuffle, &features.wave_shuffle_relative,
        &features.wave_quad, &features.wave_extended_types, &features.wave_size_control, &features.full_waves,
        &features.maximal_reconvergence, &features.denormals_preserved32, &features.denormals_preserved64,
        &features.group_progress, &features.group_order, &features.timestamps}) {
    *feature = true;
  }
  auto& limits = info.limits;
  limits.buffer_bytes = std::uint64_t{1} << 40U;
  limits.binding_alignment = 16;
  limits.binding_bytes = (std::uint64_t{1} << 32U) - limits.binding_alignment;
  limits.constants_bytes = 1U << 12U;
  limits.groups.fill(std::numeric_limits<std::uint32_t>::max());
  limits.group_threads = most_group_threads;
  limits.groupshared_bytes = static_cast<std::uint32_t>(largest_groupshared_bytes);
  return info;
}

Expected<std::unique_ptr<Device>> create_device(std::uint32_t wave_size, std::uint64_t most_iterations) {
  if (wave_size < 1 || wave_size > largest_wave) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("The wave machine has waves of 1 to {} lanes, not of {}; ask for a number of these.",
                            largest_wave, wave_size));
  }
  return std::make_unique<MachineDevice>(wave_size, most_iterations);
}

Expected<void> observe(Device& device, Observer* observer) {
  return set_watch(device, {.observer = observer}, observer != nullptr);
}

Expected<void> watch(Device& device, Watch watch) { return set_watch(device, std::move(watch), true); }

const Program* program_of(const Pipeline& pipeline) {
  const auto* const own = dynamic_cast<const MachinePipeline*>(&pipeline);
  return own == nullptr ? nullptr : &own->program();
}

}  // namespace crosslane::machine
