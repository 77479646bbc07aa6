#include "algorithms/compaction_plan.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "algorithms/range.hpp"
#include "algorithms/value_range.hpp"
#include "base/rounding.hpp"

namespace crosslane {

std::uint64_t compaction_tile(std::uint64_t element_bytes) {
  return CROSSLANE_COMPACT_THREADS * CROSSLANE_COMPACT_ROWS(element_bytes);
}

std::uint32_t window_shift(const DeviceLimits& limits, std::uint64_t element_bytes) {
  return static_cast<std::uint32_t>(std::bit_width(binding_capacity(limits) / element_bytes)) - 1;
}

Expected<WindowedOutput> plan_output(const DeviceLimits& limits, const BufferPlace& place, std::uint64_t element_bytes,
                                     std::uint64_t count) {
  const std::uint64_t base = round_down(place.offset, binding_step(limits));
  const std::uint64_t end = place.offset + count * element_bytes;
  const std::uint64_t window_bytes = element_bytes << window_shift(limits, element_bytes);
  if (end - base > window_bytes * CROSSLANE_COMPACT_WINDOWS) {
    return fail(ErrorCode::unsupported,
                fmt::format("an output of {} elements of {} bytes is more than the {} bytes that {} bindings of this "
                            "device show: compact the array in parts",
                            count, element_bytes, window_bytes * CROSSLANE_COMPACT_WINDOWS, CROSSLANE_COMPACT_WINDOWS));
  }
  WindowedOutput output;
  output.first = narrow((place.offset - base) / element_bytes);
  for (std::uint64_t window = 0; window < CROSSLANE_COMPACT_WINDOWS; ++window) {
    const std::uint64_t begin = base + window * window_bytes < end ? base + window * window_bytes : base;
    output.windows.push_back({0, place.buffer, begin, std::min(window_bytes, end - begin)});
  }
  return output;
}

std::string compaction_kernel_name(const CompactionOptions& options, Method method) {
  const std::string_view indices = options.indices ? ".indices" : "";
  if (const auto* functor = std::get_if<ByFunctor>(&options.selection)) {
    return fmt::format("{}.{}{}", functor->kernels.name, name(method), indices);
  }
  const bool by_flags = std::holds_alternative<ByFlags>(options.selection);
  // Indices by flags have nothing to do with the elements.
  return fmt::format("compact.{}.b{}.{}{}", by_flags ? "flags" : "range",
                     by_flags && options.indices ? 4 : options.element_bytes, name(method), indices);
}

void write_selection(const Selection& selection, kernel_interface::CompactParams& params) {
  const auto high = [](std::uint64_t value) { return narrow(value >> 32U); };
  if (const auto* functor = std::get_if<ByFunctor>(&selection)) {
    std::copy_n(functor->constants.begin(), 4, params.selection_low.begin());
    std::copy_n(functor->constants.begin() + 4, 4, params.selection_high.begin());
  } else if (const auto* condition = std::get_if<ByComparison>(&selection)) {
    const ScalarType type = condition->type;
    const ValueRange range = range_of(*condition);
    params.selection_low = {narrow(range.first), high(range.first), narrow(range.more), high(range.more)};
    const bool is_unsigned = type == ScalarType::u32 || type == ScalarType::u64;
    const std::uint32_t sign = is_unsigned ? 0 : 0x80000000U;
    params.selection_high = {sign, is_float(type) ? ~0U : sign, is_float(type) ? ~0U : 0, range.inverted ? 1U : 0U};
  }
}

}  // namespace crosslane
