// Sums of an array.
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "crosslane/reduction.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

struct Reduce : WorkArrays {
  template <typename T>
  Expected<std::string> fault(const Reduction& plan, std::size_t set) const {
    return read_array<T>(device, output.at(set), 1).map([&](const std::vector<T>& got) -> std::string {
      Exact<T> sum{};
      for (std::uint64_t i = 0; i < count; ++i) {  // all values of floats are positive
        sum += static_cast<Exact<T>>(hash_element<T>(first<T>(set) + i));
      }
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(sum) == got[0] ? "" : fmt::format("the sum is {}, not {}", static_cast<T>(sum), got[0]);
      } else {
        const auto bound = static_cast<long double>(plan.error_bound(count)) * sum;
        return std::abs(static_cast<long double>(got[0]) - sum) <= bound
                   ? ""
                   : fmt::format("the sum is {}, not {}", static_cast<double>(sum), got[0]);
      }
    });
  }
};

}  // namespace

Expected<Workload> make_reduce_workload(Device& device, const WorkloadOptions& options) {
  const ScalarType type = options.type.value_or(ScalarType::u32);
  const std::uint64_t element = size_of(type);
  return count_for(device.info(), options)
      .and_then(
          [&](std::uint64_t count) { return make_work_arrays(device, options, type, count, count * element, element); })
      .map([&](const WorkArrays& arrays) {
        const auto state = std::make_shared<Reduce>(Reduce{arrays});
        Workload workload = workload_of("reduce", arrays);
        workload.title = fmt::format("sum of {}", name(type));
        workload.cost = {arrays.count * element, element, fmt::format("{} n bytes read", element), 0.0, ""};
        workload.methods = {all_methods.begin(), all_methods.end()};
        workload.make = [state](Method method) {
          ReductionOptions own;
          own.type = state->type;
          own.method = method;
          own.wave_size = state->wave_size;
          return make_work<Reduction>(
              state->device, own,
              [state](Reduction& plan, CommandList& list, std::size_t set) {
                const BufferPlace from = state->input.at(set);
                const BufferPlace to = state->output.at(set);
                return plan.record(list, *from.buffer, from.offset, state->count, *to.buffer, to.offset);
              },
              [state](const Reduction& plan, std::size_t set) {
                return with_type(state->type, [&](auto zero) { return state->fault<decltype(zero)>(plan, set); });
              });
        };
        return workload;
      });
}

}  // namespace crosslane::measure
