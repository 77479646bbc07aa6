// Running sums of an array.
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "crosslane/scan.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

struct Scans {
  Device& device;
  ScalarType type;
  std::uint64_t count;
  std::optional<std::uint32_t> wave_size;
  SetArrays input;
  SetArrays output;

  template <typename T>
  Expected<std::string> fault(const Scan& plan, std::size_t set) const {
    return read_array<T>(device, output.at(set), count).map([&](const std::vector<T>& got) -> std::string {
      const std::uint64_t first = set * input.stride / sizeof(T);
      const auto factor = static_cast<long double>(plan.error_bound(count));
      Exact<T> sum{};
      for (std::uint64_t i = 0; i < count; ++i) {
        sum += static_cast<Exact<T>>(hash_element<T>(first + i));
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
  if (!input || !output) {
    return tl::unexpected(input ? output.error() : input.error());
  }
  const auto state = std::make_shared<Scans>(Scans{device, type, *count, options.wave_size, *input, *output});
  workload.algorithm = "scan";
  workload.title = fmt::format("inclusive sums of {}", name(type));
  workload.element = name(type);
  workload.count = *count;
  workload.cost = {bytes, bytes, fmt::format("{0} n bytes read, {0} n written", size_of(type)), 0.0, ""};
  workload.methods = {all_methods.begin(), all_methods.end()};
  workload.input = *input;
  workload.output = *output;
  workload.make = [state](Method method) -> Expected<Work> {
    ScanOptions own;
    own.type = state->type;
    own.method = method;
    own.wave_size = state->wave_size;
    return Scan::create(state->device, own).map([&](Scan made) {
      const auto plan = std::make_shared<Scan>(std::move(made));
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
