#include "crosslane/compaction.hpp"

#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/compaction_plan.hpp"
#include "algorithms/method_choice.hpp"
#include "algorithms/range.hpp"
#include "algorithms/tile_plan.hpp"
#include "algorithms/tiled_kernel.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

constexpr std::uint64_t flag_bytes = 4;
constexpr std::uint64_t index_bytes = 4;
constexpr std::uint64_t argument_bytes = 4;
constexpr std::uint64_t arguments = 3;
constexpr std::uint64_t most_elements = std::uint64_t{1} << 32U;
// Where the kernel's bindings of outputs begin.
constexpr std::uint32_t outputs_slot = 11;

Expected<void> check_elements(const CompactionOptions& options) {
  const std::uint32_t bytes = options.element_bytes;
  if (auto checked = check_element_bytes(bytes, "compacted"); !checked) {
    return checked;
  }
  const auto* const condition = std::get_if<ByComparison>(&options.selection);
  if (condition != nullptr && size_of(condition->type) != bytes) {
    return fail(ErrorCode::invalid_argument, fmt::format("elements of {} bytes are no {}: say element_bytes = {}",
                                                         bytes, name(condition->type), size_of(condition->type)));
  }
  return {};
}

/// A range of a recording, for the checks.
struct Range {
  std::string_view what;
  BufferPlace place;
  std::uint64_t count = 0;
  std::uint64_t element_bytes = 4;
  bool written = false;
};

Expected<void> check_ranges(std::span<const Range> ranges) {
  for (const Range& range : ranges) {
    if (range.place.buffer == nullptr) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("the compaction's '{}' is nowhere: name a buffer", range.what));
    }
    if (auto checked =
            check_range(*range.place.buffer, range.place.offset, range.count, range.element_bytes, range.what);
        !checked) {
      return checked;
    }
  }
  for (const Range& a : ranges) {
    for (const Range& b : ranges) {
      if (&a < &b && (a.written || b.written) && a.place.buffer == b.place.buffer &&
          overlaps(a.place.offset, a.count * a.element_bytes, b.place.offset, b.count * b.element_bytes)) {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("'{}' at byte {} and '{}' at byte {} overlap: give them ranges of their own", a.what,
                                a.place.offset, b.what, b.place.offset));
      }
    }
  }
  return {};
}

Expected<void> record_empty(CommandList& list, const CompactionArrays& arrays) {
  const auto fill = [&](const BufferPlace& place, std::uint64_t at, std::uint64_t bytes, std::uint32_t word) {
    return place.buffer == nullptr ? Expected<void>{} : list.fill(*place.buffer, place.offset + at, bytes, word);
  };
  return fill(arrays.count, 0, count_bytes, 0)
      .and_then([&] { return fill(arrays.arguments, 0, argument_bytes, 0); })
      .and_then([&] { return fill(arrays.arguments, argument_bytes, 2 * argument_bytes, 1); });
}

}  // namespace

struct Compaction::Plan {
  Device* device = nullptr;
  CompactionOptions options;
  MethodChoice choice;
  std::optional<TiledKernel> kernel;

  [[nodiscard]] bool by_flags() const { return std::holds_alternative<ByFlags>(options.selection); }
  [[nodiscard]] bool needs_elements() const { return !by_flags() || !options.indices; }
  [[nodiscard]] std::uint64_t output_bytes() const { return options.indices ? index_bytes : options.element_bytes; }

  [[nodiscard]] Expected<void> check(const CompactionArrays& arrays, const BufferPlace& counts,
                                     std::uint64_t count) const;
  [[nodiscard]] Expected<void> record(CommandList& list, const CompactionArrays& arrays, const BufferPlace& counts,
                                      std::uint64_t count);
  [[nodiscard]] Expected<void> bind_outputs(const CompactionArrays& arrays, std::uint64_t count,
                                            std::vector<Binding>& bindings,
                                            kernel_interface::CompactParams& params) const;
  void bind_results(const CompactionArrays& arrays, std::uint64_t slot, std::vector<Binding>& bindings,
                    kernel_interface::CompactParams& params) const;
  void bind_inputs(const CompactionArrays& arrays, const TiledDispatch& part, std::uint64_t slot,
                   std::vector<Binding>& bindings, kernel_interface::CompactParams& params) const;
};

Expected<void> Compaction::Plan::check(const CompactionArrays& arrays, const BufferPlace& counts,
                                       std::uint64_t count) const {
  if (count > most_elements) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} elements cannot be compacted at once: no more than 2^32", count));
  }
  std::vector<Range> ranges = {{"kept", arrays.kept, count, output_bytes(), true},
                               {"count", arrays.count, 1, count_bytes, true}};
  if (needs_elements()) {
    ranges.push_back({"input", arrays.input, count, options.element_bytes, false});
  }
  if (by_flags()) {
    ranges.push_back({"flags", arrays.flags, count, flag_bytes, false});
  }
  if (arrays.rejected.buffer != nullptr) {
    ranges.push_back({"rejected", arrays.rejected, count, output_bytes(), true});
  }
  if (arrays.arguments.buffer != nullptr) {
    ranges.push_back({"arguments", arrays.arguments, arguments, argument_bytes, true});
    constexpr std::uint64_t most_groups = std::uint64_t{65535} * 65535;
    const bool too_few = arrays.per_group == 0 ? count != 0 : divide_up(count, arrays.per_group) > most_groups;
    if (too_few) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("groups that take {} elements each cannot take {}: say a larger per_group",
                              arrays.per_group, count));
    }
  }
  if (counts.buffer != nullptr) {
    ranges.push_back({"counts", counts, 1, count_bytes, false});
  }
  return check_ranges(ranges);
}

Expected<void> Compaction::Plan::bind_outputs(const CompactionArrays& arrays, std::uint64_t count,
                                              std::vector<Binding>& bindings,
                                              kernel_interface::CompactParams& params) const {
  const DeviceLimits& limits = device->info().limits;
  params.window_shift = window_shift(limits, output_bytes());
  params.partition = arrays.rejected.buffer != nullptr ? 1 : 0;
  std::uint32_t element = 0;
  const auto bind = [&](std::uint32_t& first) {
    return [&](const WindowedOutput& output) {
      first = output.first;
      for (Binding window : output.windows) {
        window.slot = outputs_slot;
        window.element = element++;
        bindings.push_back(window);
      }
    };
  };
  return plan_output(limits, arrays.kept, output_bytes(), count)
      .map(bind(params.kept_first))
      .and_then([&] {
        return plan_output(limits, params.partition != 0 ? arrays.rejected : arrays.kept, output_bytes(), count);
      })
      .map(bind(params.rejected_first));
}

void Compaction::Plan::bind_results(const CompactionArrays& arrays, std::uint64_t slot, std::vector<Binding>& bindings,
                                    kernel_interface::CompactParams& params) const {
  const DeviceLimits& limits = device->info().limits;
  bindings.push_back(bind_element(limits, 8, arrays.count, count_bytes, count_bytes, params.count_element));
  bindings.push_back(kernel->bind_extra(9, slot));
  if (arrays.arguments.buffer != nullptr) {
    params.per_group = arrays.per_group;
    bindings.push_back(
        bind_element(limits, 10, arrays.arguments, arguments * argument_bytes, argument_bytes, params.arguments_first));
  } else {
    bindings.push_back(kernel->stand_in(10, slot));
  }
}

void Compaction::Plan::bind_inputs(const CompactionArrays& arrays, const TiledDispatch& part, std::uint64_t slot,
                                   std::vector<Binding>& bindings, kernel_interface::CompactParams& params) const {
  params.part = part.part;
  std::size_t number = 0;
  if (needs_elements()) {
    const ArrayView& view = part.views[number++];
    params.input_first = view.first;
    bindings.push_back({0, arrays.input.buffer, view.offset, view.bytes});
  } else {
    bindings.push_back(kernel->stand_in(0, slot));
  }
  if (by_flags()) {
    const ArrayView& view = part.views[number];
    params.flags_first = view.first;
    bindings.push_back({1, arrays.flags.buffer, view.offset, view.bytes});
  } else {
    bindings.push_back(kernel->stand_in(1, slot));
  }
}

Expected<void> Compaction::Plan::record(CommandList& list, const CompactionArrays& arrays, const BufferPlace& counts,
                                        std::uint64_t count) {
  if (auto checked = check(arrays, counts, count); !checked) {
    return checked;
  }
  if (count == 0) {
    return record_empty(list, arrays);
  }
  kernel_interface::CompactParams params{};
  write_selection(options.selection, params);
  std::vector<Binding> outputs;
  if (auto bound = bind_outputs(arrays, count, outputs, params); !bound) {
    return bound;
  }
  const auto slot = kernel->take(list);
  if (!slot) {
    return tl::unexpected<Error>(slot.error());
  }
  bind_results(arrays, *slot, outputs, params);
  std::vector<TiledArray> tiled;
  if (needs_elements()) {
    tiled.push_back({arrays.input.offset, options.element_bytes});
  }
  if (by_flags()) {
    tiled.push_back({arrays.flags.offset, flag_bytes});
  }
  Expected<void> recorded;
  for (const TiledDispatch& part :
       plan_tiles(device->info(), tiled, compaction_tile(tiled.front().element_bytes), count)) {
    std::vector<Binding> bindings = outputs;
    bind_inputs(arrays, part, *slot, bindings, params);
    recorded = recorded.and_then([&] { return kernel->record(list, std::move(bindings), params, *slot, counts); });
  }
  return recorded;
}

Compaction::Compaction(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Compaction::Compaction(Compaction&&) noexcept = default;
Compaction& Compaction::operator=(Compaction&&) noexcept = default;
Compaction::~Compaction() = default;

Expected<Compaction> Compaction::create(Device& device, const CompactionOptions& options) {
  constexpr std::uint64_t carries_bytes = 2 * count_bytes;
  auto plan = std::make_unique<Plan>();
  plan->device = &device;
  plan->options = options;
  plan->options.decisions = nullptr;
  plan->choice =
      choose_method(device.info(), {"compact", options.method, options.decisions, options.wave_size, ScalarType::u32});
  const auto* const functor = std::get_if<ByFunctor>(&options.selection);
  return check_elements(options)
      .and_then([&] { return check_types(device.info(), ScalarType::u32, Operator::sum, plan->choice.method); })
      .and_then([&] {
        return TiledKernel::create(device,
                                   {.name = compaction_kernel_name(options, plan->choice.method),
                                    .table = functor != nullptr ? functor->kernels.kernels : std::span<const Kernel>(),
                                    .wave_size = options.wave_size,
                                    .passes = options.passes,
                                    .value_bytes = sizeof(std::uint32_t),
                                    .extra_bytes = carries_bytes});
      })
      .map([&](TiledKernel created) {
        plan->kernel = std::move(created);
        return Compaction(std::move(plan));
      });
}

Expected<void> Compaction::record(CommandList& list, const CompactionArrays& arrays, std::uint64_t count) {
  return plan_->record(list, arrays, {}, count);
}

Expected<void> Compaction::record_indirect(CommandList& list, const CompactionArrays& arrays, const BufferPlace& counts,
                                           std::uint64_t capacity) {
  return check_counts(counts).and_then([&] { return plan_->record(list, arrays, counts, capacity); });
}

Method Compaction::method() const { return plan_->choice.method; }

const std::string& Compaction::method_note() const { return plan_->choice.note; }

Passes Compaction::passes() const { return plan_->kernel->passes(); }

}  // namespace crosslane
