// The lower half of all values kept.
#include <memory>

#include <fmt/format.h>

#include "crosslane/compaction.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

constexpr std::uint64_t count_bytes = 8;

// Half of the hashes lie below.
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

struct Compact : WorkArrays {
  SetArrays counts;

  template <typename T>
  Expected<std::string> fault(std::size_t set) const {
    std::vector<T> right;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (const T value = hash_element<T>(first<T>(set) + i); value < middle<T>()) {
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
  const ScalarType type = options.type.value_or(ScalarType::u32);
  const std::uint64_t element = size_of(type);
  std::shared_ptr<Compact> state;
  return count_for(device.info(), options)
      .and_then([&](std::uint64_t count) {
        return make_work_arrays(device, options, type, count, count * element, count * element);
      })
      .and_then([&](const WorkArrays& arrays) {
        state = std::make_shared<Compact>(Compact{arrays, {}});
        return make_arrays(device, count_bytes, arrays.sets);
      })
      .map([&](SetArrays counts) {
        state->counts = std::move(counts);
        const std::uint64_t bytes = state->count * element;
        Workload workload = workload_of("compact", *state);
        workload.title = fmt::format("the lower half of {} kept", name(type));
        workload.cost = {bytes, bytes / 2, fmt::format("{} n bytes read, {} n written", element, element / 2), 0.0, ""};
        workload.methods = {all_methods.begin(), all_methods.end()};
        workload.make = [state](Method method) {
          CompactionOptions own;
          own.element_bytes = static_cast<std::uint32_t>(size_of(state->type));
          own.selection = with_type(state->type, [](auto zero) {
            return ByComparison::of<decltype(zero)>(Comparison::less, middle<decltype(zero)>());
          });
          own.method = method;
          own.wave_size = state->wave_size;
          return make_work<Compaction>(
              state->device, own,
              [state](Compaction& plan, CommandList& list, std::size_t set) {
                return plan.record(
                    list,
                    {.input = state->input.at(set), .kept = state->output.at(set), .count = state->counts.at(set)},
                    state->count);
              },
              [state](const Compaction& /*plan*/, std::size_t set) {
                return with_type(state->type, [&](auto zero) { return state->fault<decltype(zero)>(set); });
              });
        };
        return workload;
      });
}

}  // namespace crosslane::measure
