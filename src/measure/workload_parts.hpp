// What the workloads share: sets of arrays on the device, and their elements on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/hash_fill.hpp"
#include "measure/workload.hpp"

namespace crosslane::measure {

/// Elements that are asked for, or the usual number. Errors: `invalid_argument` for none.
Expected<std::uint64_t> count_for(const DeviceInfo& device, const WorkloadOptions& options);

/// Arrays of `bytes` bytes. Errors: those of the device.
Expected<SetArrays> make_arrays(Device& device, std::uint64_t bytes, std::size_t sets);

/// A workload's sets of arrays, and what its works are made of.
struct WorkArrays {
  Device& device;
  ScalarType type = ScalarType::u32;
  std::uint64_t count = 0;
  std::optional<std::uint32_t> wave_size;
  std::size_t sets = 1;
  SetArrays input;
  SetArrays output;

  /// The number of a set's first element of the input, for hash_element<T>.
  template <typename T>
  [[nodiscard]] std::uint64_t first(std::size_t set) const {
    return set * input.stride / sizeof(T);
  }
};

/// Arrays of so many bytes in each set, inputs filled by the pattern of `type`. Errors: those of the device.
Expected<WorkArrays> make_work_arrays(Device& device, const WorkloadOptions& options, ScalarType type,
                                      std::uint64_t count, std::uint64_t input_bytes, std::uint64_t output_bytes);

/// A workload of these arrays that still has no title, cost, methods and works.
Workload workload_of(std::string_view algorithm, const WorkArrays& arrays);

/// A work by a plan, which `record(plan, list, set)` records and `fault(plan, set)` looks at.
template <typename Plan, typename Options, typename Record, typename Fault>
Expected<Work> make_work(Device& device, const Options& options, Record record, Fault fault) {
  return Plan::create(device, options).map([&](Plan made) {
    const auto plan = std::make_shared<Plan>(std::move(made));
    return Work{plan->method(), plan->method_note(),
                [plan, record](CommandList& list, std::size_t set) { return record(*plan, list, set); },
                [plan, fault](std::size_t set) { return fault(*plan, set); }};
  });
}

/// The first elements of an array.
template <typename T>
Expected<std::vector<T>> read_array(Device& device, const BufferPlace& place, std::uint64_t count) {
  std::vector<T> values(count);
  return download(device, *place.buffer, std::as_writable_bytes(std::span(values)), place.offset).map([&] {
    return std::move(values);
  });
}

/// Calls `use` with a value of the C++ type that a ScalarType stands for.
template <typename Use>
auto with_type(ScalarType type, const Use& use) {
  switch (type) {
    case ScalarType::u32:
      return use(std::uint32_t{});
    case ScalarType::i32:
      return use(std::int32_t{});
    case ScalarType::f32:
      return use(float{});
    case ScalarType::u64:
      return use(std::uint64_t{});
    case ScalarType::i64:
      return use(std::int64_t{});
    default:
      return use(double{});
  }
}

/// Gives the workload works by every method, of a plan that takes elements of any type from the input to the output.
/// `state` is a WorkArrays with fault<T>(plan, set).
template <typename Plan, typename Options, typename State>
void add_typed_works(Workload& workload, const std::shared_ptr<State>& state) {
  workload.methods = {all_methods.begin(), all_methods.end()};
  workload.make = [state](Method method) {
    Options own;
    own.type = state->type;
    own.method = method;
    own.wave_size = state->wave_size;
    return make_work<Plan>(
        state->device, own,
        [state](Plan& plan, CommandList& list, std::size_t set) {
          const BufferPlace from = state->input.at(set);
          const BufferPlace to = state->output.at(set);
          return plan.record(list, *from.buffer, from.offset, state->count, *to.buffer, to.offset);
        },
        [state](const Plan& plan, std::size_t set) {
          return with_type(state->type, [&](auto zero) { return state->template fault<decltype(zero)>(plan, set); });
        });
  };
}

/// Sums as the library promises them: integers wrap, floats are summed with more digits.
template <typename T>
using Exact =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<long double>>::type;

}  // namespace crosslane::measure
