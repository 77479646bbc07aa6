// Sums of an array.
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "crosslane/reduction.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

struct Reduce {
  Device& device;
  ScalarType type;
  std::uint64_t count;
  std::optional<std::uint32_t> wave_size;
  SetArrays input;
  SetArrays output;

  template <typename T>
  Expected<std::string> fault(const Reduction& plan, std::size_t set) const {
    return read_array<T>(device, output.at(set), 1).map([&](const std::vector<T>& got) -> std::string {
      const std::uint64_t first = set * input.stride / sizeof(T);
      Exact<T> sum{};
      for (std::uint64_t i = 0; i < count; ++i) {  // all values of floats are positive
        sum += static_cast<Exact<T>>(hash_element<T>(first + i));
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
  const auto count = count_for(device.info(), options);
  if (!count) {
    return tl::unexpected(count.error());
  }
  const ScalarType type = options.type.value_or(ScalarType::u32);
  const std::uint64_t bytes = *count * size_of(type);
  Workload workload;
  workload.sets = sets_for(device.info(), bytes, bytes, options.hot);
  const auto input = make_inputs(device, type, bytes, workload.sets);
  const auto output = make_arrays(device, size_of(type), workload.sets);
  if (!input || !output) {
    return tl::unexpected(input ? output.error() : input.error());
  }
  const auto state = std::make_shared<Reduce>(Reduce{device, type, *count, options.wave_size, *input, *output});
  workload.algorithm = "reduce";
  workload.title = fmt::format("sum of {}", name(type));
  workload.element = name(type);
  workload.count = *count;
  workload.cost = {bytes, size_of(type), fmt::format("{} n bytes read", size_of(type)), 0.0, ""};
  workload.methods = {all_methods.begin(), all_methods.end()};
  workload.input = *input;
  workload.output = *output;
  workload.make = [state](Method method) -> Expected<Work> {
    ReductionOptions own;
    own.type = state->type;
    own.method = method;
    own.wave_size = state->wave_size;
    return Reduction::create(state->device, own).map([&](Reduction made) {
      const auto plan = std::make_shared<Reduction>(std::move(made));
      Work work{plan->method(), plan->method_note(), {}, {}};
      work.record = [state, plan](CommandList& list, std::size_t set) {
        const BufferPlace from = state->input.at(set);
        const BufferPlace to = state->output.at(set);
        return plan->record(list, *from.buffer, from.offset, state->count, *to.buffer, to.offset);
      };
      work.fault = [state, plan](std::size_t set) {
        return with_type(state->type, [&](auto zero) { return state->fault<decltype(zero)>(*plan, set); });
      };
      return work;
    });
  };
  return workload;
}

}  // namespace crosslane::measure
