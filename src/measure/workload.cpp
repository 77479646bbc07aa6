#include "measure/workload.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

constexpr bool any_type(ScalarType /*type*/) { return true; }
constexpr bool floats(ScalarType type) { return is_float(type); }
constexpr bool small_floats(ScalarType type) { return type == ScalarType::f32; }

constexpr std::array algorithms = {
    MeasuredAlgorithm{"reduce", make_reduce_workload, any_type},
    MeasuredAlgorithm{"scan", make_scan_workload, any_type},
    MeasuredAlgorithm{"compact", make_compact_workload, any_type},
    MeasuredAlgorithm{"fft", make_fft_workload, floats},
    MeasuredAlgorithm{"blur", make_blur_workload, small_floats},
};

// Counts what is recorded, and runs nothing.
class CountingList final : public CommandList {
 public:
  Expected<void> dispatch(const Pipeline& /*pipeline*/, std::span<const Binding> /*bindings*/,
                          std::span<const std::byte> /*constants*/, GroupCount /*groups*/) override {
    return count();
  }
  Expected<void> dispatch_indirect(const Pipeline& /*pipeline*/, std::span<const Binding> /*bindings*/,
                                   std::span<const std::byte> /*constants*/, const BufferPlace& /*groups*/) override {
    return count();
  }
  Expected<void> copy(Buffer& /*source*/, std::uint64_t /*source_offset*/, Buffer& /*destination*/,
                      std::uint64_t /*destination_offset*/, std::uint64_t /*bytes*/) override {
    return count();
  }
  Expected<void> fill(Buffer& /*buffer*/, std::uint64_t /*offset*/, std::uint64_t /*bytes*/,
                      std::uint32_t /*word*/) override {
    return count();
  }
  Expected<void> barrier() override { return {}; }
  Expected<std::uint32_t> timestamp() override { return 0; }

  [[nodiscard]] std::uint32_t launches() const { return launches_; }

 private:
  Expected<void> count() {
    ++launches_;
    return {};
  }

  std::uint32_t launches_ = 0;
};

// How many sets of arrays, of which the largest has `largest_bytes` and all have `bytes` together.
std::size_t sets_for(const DeviceInfo& device, std::uint64_t bytes, std::uint64_t largest_bytes, bool hot) {
  constexpr std::uint64_t beyond_caches = std::uint64_t{1} << 28U;
  constexpr std::uint64_t most = std::uint64_t{1} << 16U;
  if (hot) {
    return 1;
  }
  if (device.kind != DeviceKind::gpu) {
    return 2;
  }
  const std::uint64_t room = device.limits.buffer_bytes / std::max<std::uint64_t>(largest_bytes, 1);
  const std::uint64_t wanted = std::max<std::uint64_t>(divide_up(beyond_caches, std::max<std::uint64_t>(bytes, 1)), 2);
  return static_cast<std::size_t>(std::max<std::uint64_t>(std::min({wanted, room, most}), 1));
}

// Arrays filled with hashes by the pattern of `type`, set after set: element e of set s is
// hash_element(s · stride / size of an element + e).
Expected<SetArrays> make_inputs(Device& device, ScalarType type, std::uint64_t bytes, std::size_t sets) {
  return make_arrays(device, bytes, sets).and_then([&](const SetArrays& arrays) {
    return fill_with_hashes(device, *arrays.buffer, arrays.stride * sets / sizeof(std::uint32_t), 0, pattern_for(type))
        .map([&] { return arrays; });
  });
}

}  // namespace

std::uint64_t usual_count(const DeviceInfo& device) {
  return std::uint64_t{1} << (device.kind == DeviceKind::gpu ? 24U : 18U);
}

std::span<const MeasuredAlgorithm> measured_algorithms() { return algorithms; }

Expected<std::string> verify_work(Device& device, const Work& work) {
  return device.create_command_list()
      .and_then([&](const std::unique_ptr<CommandList>& list) {
        return work.record(*list, 0).and_then([&] { return run(device, *list); });
      })
      .and_then([&] { return work.fault(0); });
}

Expected<std::uint32_t> count_launches(const Work& work) {
  CountingList list;
  return work.record(list, 0).map([&] { return list.launches(); });
}

Expected<WorkArrays> make_work_arrays(Device& device, const WorkloadOptions& options, ScalarType type,
                                      std::uint64_t count, std::uint64_t input_bytes, std::uint64_t output_bytes) {
  WorkArrays arrays{device, type, count, options.wave_size, 1, {}, {}};
  arrays.sets = sets_for(device.info(), input_bytes + output_bytes, std::max(input_bytes, output_bytes), options.hot);
  return make_inputs(device, type, input_bytes, arrays.sets)
      .and_then([&](SetArrays input) {
        arrays.input = std::move(input);
        return make_arrays(device, output_bytes, arrays.sets);
      })
      .map([&](SetArrays output) {
        arrays.output = std::move(output);
        return std::move(arrays);
      });
}

Workload workload_of(std::string_view algorithm, const WorkArrays& arrays) {
  Workload workload;
  workload.algorithm = algorithm;
  workload.element = name(arrays.type);
  workload.count = arrays.count;
  workload.sets = arrays.sets;
  workload.input = arrays.input;
  workload.output = arrays.output;
  return workload;
}

Expected<std::uint64_t> count_for(const DeviceInfo& device, const WorkloadOptions& options) {
  const std::uint64_t count = options.count.value_or(usual_count(device));
  if (count == 0) {
    return fail(ErrorCode::invalid_argument, "there is nothing to measure of 0 elements: ask for at least one");
  }
  return count;
}

Expected<SetArrays> make_arrays(Device& device, std::uint64_t bytes, std::size_t sets) {
  constexpr std::uint64_t alignment = 256;
  const std::uint64_t stride = round_up(bytes, std::max(alignment, device.info().limits.binding_alignment));
  return device.create_buffer({.bytes = stride * sets}).map([&](std::unique_ptr<Buffer> buffer) {
    return SetArrays{std::move(buffer), stride};
  });
}

}  // namespace crosslane::measure
