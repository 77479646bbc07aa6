// Running sums of an array.
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "crosslane/scan.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

struct Scans : WorkArrays {
  template <typename T>
  Expected<std::string> fault(const Scan& plan, std::size_t set) const {
    return read_array<T>(device, output.at(set), count).map([&](const std::vector<T>& got) -> std::string {
      const auto factor = static_cast<long double>(plan.error_bound(count));
      Exact<T> sum{};
      for (std::uint64_t i = 0; i < count; ++i) {
        sum += static_cast<Exact<T>>(hash_element<T>(first<T>(set) + i));
        bool right = false;
        if constexpr (std::is_integral_v<T>) {
          right = static_cast<T>(sum) == got[i];
        } else {
          right = std::abs(static_cast<long double>(got[i]) - sum) <= factor * sum;
        }
        if (!right) {
          return fmt::format("result {} is {}, not {}", i, static_cast<T>(sum), got[i]);
        }
      }
      return "";
    });
  }
};

}  // namespace

Expected<Workload> make_scan_workload(Device& device, const WorkloadOptions& options) {
  const ScalarType type = options.type.value_or(ScalarType::u32);
  const std::uint64_t element = size_of(type);
  return count_for(device.info(), options)
      .and_then([&](std::uint64_t count) {
        return make_work_arrays(device, options, type, count, count * element, count * element);
      })
      .map([&](const WorkArrays& arrays) {
        const auto state = std::make_shared<Scans>(Scans{arrays});
        const std::uint64_t bytes = arrays.count * element;
        Workload workload = workload_of("scan", arrays);
        workload.title = fmt::format("inclusive sums of {}", name(type));
        workload.cost = {bytes, bytes, fmt::format("{0} n bytes read, {0} n written", element), 0.0, ""};
        add_typed_works<Scan, ScanOptions>(workload, state);
        return workload;
      });
}

}  // namespace crosslane::measure
