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
        add_typed_works<Reduction, ReductionOptions>(workload, state);
        return workload;
      });
}

}  // namespace crosslane::measure
