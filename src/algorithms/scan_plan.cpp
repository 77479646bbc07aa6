#include "algorithms/scan_plan.hpp"

#include <bit>

#include <fmt/format.h>

#include "algorithms/range.hpp"
#include "algorithms/tile_plan.hpp"
#include "base/rounding.hpp"

namespace crosslane {

std::uint64_t scan_tile(std::uint64_t element_bytes) {
  return std::uint64_t{CROSSLANE_SCAN_THREADS} * CROSSLANE_SCAN_ROWS * vector_bytes / element_bytes;
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
  const TiledArray array{0, size_of(type)};
  const std::uint64_t parts = plan_tiles(device, {&array, 1}, scan_tile(size_of(type)), count).size();
  return of_tile + 3 * (divide_up(count, scan_tile(size_of(type))) + parts) + of_wave;
}

std::string scan_kernel_name(const ScanOptions& options, Method method) {
  if (options.functor) {
    return fmt::format("{}.{}", options.functor->kernels.name, name(method));
  }
  ScalarType type = options.type;
  if (options.op == Operator::sum && !is_float(type)) {  // sums do not see the sign
    type = size_of(type) == 4 ? ScalarType::u32 : ScalarType::u64;
  }
  return fmt::format("scan.{}.{}.{}", name(type), name(options.op), name(method));
}

}  // namespace crosslane
