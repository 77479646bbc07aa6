// The lower half of all values kept.
#include <memory>

#include <fmt/format.h>

#include "crosslane/compaction.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

constexpr std::uint64_t count_bytes = 8;

// Half of what make_inputs gives lies below.
template <typename T>
T middle() {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(1.5);
  } else if constexpr (std::is_signed_v<T>) {
    return 0;
  } else {
    return static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  }
}

struct Compact {
  Device& device;
  ScalarType type;
  std::uint64_t count;
  std::optional<std::uint32_t> wave_size;
  SetArrays input;
  SetArrays output;
  SetArrays counts;

  template <typename T>
  Expected<std::string> fault(std::size_t set) const {
    std::vector<T> right;
    const std::uint64_t first = set * input.stride / sizeof(T);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (const T value = hash_element<T>(first + i); value < middle<T>()) {
        right.push_back(value);
      }
    }
    const auto kept = read_array<std::uint64_t>(device, counts.at(set), 1);
    if (!kept) {
      return tl::unexpected(kept.error());
    }
    if (kept->front() != right.size()) {
      return fmt::format("{} elements are kept, not {}", right.size(), kept->front());
    }
    return read_array<T>(device, output.at(set), right.size()).map([&](const std::vector<T>& got) -> std::string {
      for (std::uint64_t i = 0; i < right.size(); ++i) {
        if (got[i] != right[i]) {
          return fmt::format("kept element {} is {}, not {}", i, right[i], got[i]);
        }
      }
      return "";
    });
  }
};

}  // namespace

Expected<Workload> make_compact_workload(Device& device, const WorkloadOptions& options) {
  const auto count = count_for(device.info(), options);
  if (!count) {
    return tl::unexpected(count.error());
  }
  const ScalarType type = options.type.value_or(ScalarType::u32);
  const std::uint64_t bytes = *count * size_of(type);
  Workload workload;
  workload.sets = sets_for(device.info(), 2 * bytes, bytes, options.hot);
  const auto input = make_inputs(device, type, bytes, workload.sets);
  const auto output = make_arrays(device, bytes, workload.sets);
  const auto counts = make_arrays(device, count_bytes, workload.sets);
  if (!input || !output || !counts) {
    return tl::unexpected(!input ? input.error() : !output ? output.error() : counts.error());
  }
  const auto state =
      std::make_shared<Compact>(Compact{device, type, *count, options.wave_size, *input, *output, *counts});
  workload.algorithm = "compact";
  workload.title = fmt::format("the lower half of {} kept", name(type));
  workload.element = name(type);
  workload.count = *count;
  workload.cost = {bytes, bytes / 2, fmt::format("{} n bytes read, {} n written", size_of(type), size_of(type) / 2),
                   0.0, ""};
  workload.methods = {all_methods.begin(), all_methods.end()};
  workload.input = *input;
  workload.output = *output;
  workload.make = [state](Method method) -> Expected<Work> {
    CompactionOptions own;
    own.element_bytes = static_cast<std::uint32_t>(size_of(state->type));
    own.selection = with_type(state->type, [](auto zero) {
      return ByComparison::of<decltype(zero)>(Comparison::less, middle<decltype(zero)>());
    });
    own.method = method;
    own.wave_size = state->wave_size;
    return Compaction::create(state->device, own).map([&](Compaction made) {
      const auto plan = std::make_shared<Compaction>(std::move(made));
      Work work{plan->method(), plan->method_note(), {}, {}};
      work.record = [state, plan](CommandList& list, std::size_t set) {
        return plan->record(
            list, {.input = state->input.at(set), .kept = state->output.at(set), .count = state->counts.at(set)},
            state->count);
      };
      work.fault = [state](std::size_t set) {
        return with_type(state->type, [&](auto zero) { return state->fault<decltype(zero)>(set); });
      };
      return work;
    });
  };
  return workload;
}

}  // namespace crosslane::measure
