#include "algorithms/scan_plan.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {

std::uint64_t scan_tile(std::uint64_t element_bytes) {
  return std::uint64_t{CROSSLANE_SCAN_THREADS} * CROSSLANE_SCAN_ROWS * vector_bytes / element_bytes;
}

std::vector<ScanDispatch> plan_scan(const DeviceInfo& device, std::uint64_t element_bytes, std::uint64_t input_offset,
                                    std::uint64_t output_offset, std::uint64_t count) {
  const DeviceLimits& limits = device.limits;
  const std::uint64_t step = binding_step(limits);
  const std::uint64_t capacity = binding_capacity(limits) / element_bytes;
  const std::uint64_t vector = vector_bytes / element_bytes;
  const std::uint64_t tile = scan_tile(element_bytes);
  const std::uint64_t tiles = std::min<std::uint64_t>(CROSSLANE_SCAN_MAX_TILES, limits.groups[0]);
  std::vector<ScanDispatch> dispatches;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t input_begin = input_offset + done * element_bytes;
    const std::uint64_t output_begin = output_offset + done * element_bytes;
    ScanDispatch dispatch;
    dispatch.input_offset = round_down(input_begin, step);
    dispatch.output_offset = round_down(output_begin, step);
    const std::uint64_t input_first = (input_begin - dispatch.input_offset) / element_bytes;
    const std::uint64_t output_first = (output_begin - dispatch.output_offset) / element_bytes;
    const bool vectors = input_first % vector == output_first % vector;
    const std::uint64_t begin = vectors ? input_first % vector : 0;
    const std::uint64_t here =
        std::min({count - done, capacity - std::max(input_first, output_first), tiles * tile - begin});
    dispatch.input_bytes = (input_first + here) * element_bytes;
    dispatch.output_bytes = (output_first + here) * element_bytes;
    auto& params = dispatch.params;
    params.input_first = narrow(input_first - begin);
    params.output_first = narrow(output_first - begin);
    params.input_vector = params.input_first / narrow(vector);
    params.output_vector = params.output_first / narrow(vector);
    params.vectors = vectors ? 1 : 0;
    params.begin = narrow(begin);
    params.end = narrow(begin + here);
    params.groups = narrow(divide_up(begin + here, tile));
    // Every processor runs a group at least, so this many run at once.
    params.tickets = params.groups > std::max(device.processors, 1U) ? 1 : 0;
    params.carry_in = done != 0 ? 1 : 0;
    params.done_low = narrow(done);
    params.done_high = narrow(done >> 32U);
    dispatches.push_back(dispatch);
    done += here;
  }
  return dispatches;
}

std::uint64_t longest_scan_chain(const DeviceInfo& device, ScalarType type, std::uint64_t count, Method method,
                                 std::uint32_t wave_size) {
  if (count < 2) {
    return 0;
  }
  const std::uint64_t threads = CROSSLANE_SCAN_THREADS;
  const std::uint64_t vector = vector_bytes / size_of(type);
  // A wave's own intrinsic may add one lane after the other; a scan by shuffles is balanced.
  const std::uint64_t of_wave =
      method == Method::wave_intrinsics ? wave_size : static_cast<std::uint64_t>(std::bit_width(wave_size));
  const std::uint64_t of_group = method == Method::groupshared
                                     ? static_cast<std::uint64_t>(std::bit_width(threads))
                                     : 2 * of_wave + divide_up(threads, std::uint64_t{wave_size} * wave_size);
  const std::uint64_t of_tile = 2 * (vector + CROSSLANE_SCAN_ROWS) + of_group;
  // From tile to tile: a look-back's scan, what comes after it, and the tile's own total.
  const std::uint64_t parts = plan_scan(device, size_of(type), 0, 0, count).size();
  return of_tile + 3 * (divide_up(count, scan_tile(size_of(type))) + parts) + of_wave;
}

std::string scan_kernel_name(ScalarType type, Operator op, Method method, bool packed) {
  if (op == Operator::sum && !is_float(type)) {  // sums do not see the sign
    type = size_of(type) == 4 ? ScalarType::u32 : ScalarType::u64;
  }
  return fmt::format("scan.{}.{}.{}{}", name(method), name(type), name(op), packed ? ".packed" : "");
}

}  // namespace crosslane
