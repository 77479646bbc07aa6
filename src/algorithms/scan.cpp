#include "crosslane/scan.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "algorithms/error_factor.hpp"
#include "algorithms/kernel_pipeline.hpp"
#include "algorithms/method_choice.hpp"
#include "algorithms/range.hpp"
#include "algorithms/scan_plan.hpp"
#include "algorithms/state_slots.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

/// HLSL has prefix intrinsics for sums alone.
MethodChoice method_for(const DeviceInfo& device, const ScanOptions& options) {
  MethodChoice choice = choose_method(
      device, {"scan", options.method, options.decisions, options.wave_size, computed_type(options.type, options.op)});
  if (choice.method == Method::wave_intrinsics && options.op != Operator::sum) {
    choice = {Method::shuffle, fmt::format("HLSL has no prefix intrinsic for '{}'", name(options.op))};
  }
  return choice;
}

ScanPasses passes_for(const DeviceInfo& device, const ScanOptions& options) {
  if (options.passes != ScanPasses::automatic) {
    return options.passes;
  }
  return device.features.group_progress ? ScanPasses::one : ScanPasses::several;
}

Expected<void> check_operator(Operator op) {
  return op == Operator::sum || op == Operator::minimum || op == Operator::maximum
             ? Expected<void>{}
             : fail(ErrorCode::invalid_argument,
                    fmt::format("scans have no operator '{}': use sum, min or max", name(op)));
}

/// Where the elements' number is, if only the device knows it.
struct IndirectCount {
  Buffer* counts = nullptr;
  std::uint64_t offset = 0;
};

constexpr std::uint64_t count_bytes = 8;
// The parts of the state.
constexpr std::size_t control_part = 0;
constexpr std::size_t words_part = 1;
constexpr std::size_t values_part = 2;
constexpr std::uint64_t control_bytes = 16;

}  // namespace

struct Scan::Plan {
  Device* device = nullptr;
  ScanOptions options;
  MethodChoice choice;
  ScanPasses passes = ScanPasses::one;
  bool packed = false;  ///< tiles speak in words of value and tag
  std::unique_ptr<Pipeline> pipeline;
  std::optional<StateSlots> state;

  [[nodiscard]] Expected<void> create_pipeline();
  [[nodiscard]] Expected<void> create_state();
  [[nodiscard]] Expected<void> record(CommandList& list, Buffer& input, std::uint64_t input_offset, std::uint64_t count,
                                      Buffer& output, std::uint64_t output_offset, const IndirectCount& indirect);
  [[nodiscard]] Expected<void> record_part(CommandList& list, std::span<const Binding> bindings,
                                           kernel_interface::ScanParams params) const;
};

Expected<void> Scan::Plan::create_pipeline() {
  const std::string kernel_name = scan_kernel_name(options.type, options.op, choice.method, packed);
  return create_kernel_pipeline(*device, kernel_name, options.wave_size).map([&](auto created) {
    pipeline = std::move(created);
  });
}

Expected<void> Scan::Plan::create_state() {
  constexpr std::uint64_t slots = 8;
  constexpr std::uint64_t tiles = CROSSLANE_SCAN_MAX_TILES;
  const std::uint64_t size = size_of(options.type);
  return StateSlots::create(
             *device, {control_bytes, tiles * (packed ? 2 * size : 4), packed ? size : (2 * tiles + 1) * size}, slots)
      .map([&](StateSlots made) { state = std::move(made); });
}

Expected<void> Scan::Plan::record_part(CommandList& list, std::span<const Binding> bindings,
                                       kernel_interface::ScanParams params) const {
  const auto dispatch = [&](std::uint32_t pass, std::uint32_t groups) {
    params.pass = pass;
    return list.dispatch(*pipeline, bindings, bytes_of(params), {groups, 1, 1});
  };
  if (passes == ScanPasses::one) {
    return dispatch(CROSSLANE_SCAN_SINGLE_PASS, params.groups);
  }
  return dispatch(CROSSLANE_SCAN_REDUCE, params.groups)
      .and_then([&] { return list.barrier(); })
      .and_then([&] { return dispatch(CROSSLANE_SCAN_TOTALS, 1); })
      .and_then([&] { return list.barrier(); })
      .and_then([&] { return dispatch(CROSSLANE_SCAN_TILES, params.groups); });
}

Expected<void> Scan::Plan::record(CommandList& list, Buffer& input, std::uint64_t input_offset, std::uint64_t count,
                                  Buffer& output, std::uint64_t output_offset, const IndirectCount& indirect) {
  const std::uint64_t size = size_of(options.type);
  if (auto checked = check_range(input, input_offset, count, size, "input").and_then([&] {
        return check_range(output, output_offset, count, size, "output");
      });
      !checked) {
    return checked;
  }
  const std::uint64_t bytes = count * size;
  if (&input == &output && input_offset != output_offset && input_offset < output_offset + bytes &&
      output_offset < input_offset + bytes) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the input at byte {} and the output at byte {} overlap in {} bytes each: scan in place, or "
                    "into another range",
                    input_offset, output_offset, bytes));
  }
  if (count == 0) {
    return {};
  }
  const auto slot = state->take(list);
  if (!slot) {
    return tl::unexpected<Error>(slot.error());
  }
  Binding counts = state->bind(7, control_part, *slot);  // a stand-in, never read
  std::uint32_t count_element = 0;
  if (indirect.counts != nullptr) {
    const std::uint64_t base = round_down(indirect.offset, binding_step(device->info().limits));
    counts = {7, indirect.counts, base, indirect.offset - base + count_bytes};
    count_element = narrow((indirect.offset - base) / count_bytes);
  }
  Expected<void> recorded;
  for (ScanDispatch& part : plan_scan(device->info(), size, input_offset, output_offset, count)) {
    part.params.exclusive = options.exclusive ? 1 : 0;
    part.params.indirect = indirect.counts != nullptr ? 1 : 0;
    part.params.count_element = count_element;
    const std::array bindings = {
        Binding{0, &input, part.input_offset, part.input_bytes},
        Binding{1, &input, part.input_offset, part.input_bytes},
        Binding{2, &output, part.output_offset, part.output_bytes},
        Binding{3, &output, part.output_offset, part.output_bytes},
        state->bind(4, control_part, *slot),
        state->bind(5, words_part, *slot),
        state->bind(6, values_part, *slot),
        counts,
    };
    recorded =
        recorded.and_then([&] { return part.params.carry_in != 0 ? list.barrier() : Expected<void>{}; }).and_then([&] {
          return record_part(list, bindings, part.params);
        });
  }
  return recorded;
}

Scan::Scan(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Scan::Scan(Scan&&) noexcept = default;
Scan& Scan::operator=(Scan&&) noexcept = default;
Scan::~Scan() = default;

Expected<Scan> Scan::create(Device& device, const ScanOptions& options) {
  auto plan = std::make_unique<Plan>();
  plan->device = &device;
  plan->options = options;
  plan->options.decisions = nullptr;
  plan->choice = method_for(device.info(), options);
  plan->passes = passes_for(device.info(), options);
  plan->packed = plan->passes == ScanPasses::one && device.info().features.int64_atomics;
  return check_operator(options.op)
      .and_then([&] { return check_types(device.info(), options.type, options.op, plan->choice.method); })
      .and_then([&] { return plan->create_pipeline(); })
      .and_then([&] { return plan->create_state(); })
      .map([&] { return Scan(std::move(plan)); });
}

Expected<void> Scan::record(CommandList& list, Buffer& input, std::uint64_t input_offset, std::uint64_t count,
                            Buffer& output, std::uint64_t output_offset) {
  return plan_->record(list, input, input_offset, count, output, output_offset, {});
}

Expected<void> Scan::record_indirect(CommandList& list, Buffer& input, std::uint64_t input_offset, Buffer& counts,
                                     std::uint64_t count_offset, std::uint64_t capacity, Buffer& output,
                                     std::uint64_t output_offset) {
  return check_range(counts, count_offset, 1, count_bytes, "count").and_then([&] {
    return plan_->record(list, input, input_offset, capacity, output, output_offset, {&counts, count_offset});
  });
}

Method Scan::method() const { return plan_->choice.method; }

const std::string& Scan::method_note() const { return plan_->choice.note; }

ScanPasses Scan::passes() const { return plan_->passes; }

double Scan::error_bound(std::uint64_t count) const {
  const ScanOptions& options = plan_->options;
  if (!is_float(options.type) || options.op != Operator::sum) {
    return 0;
  }
  return error_factor(longest_scan_chain(plan_->device->info(), options.type, count, plan_->choice.method,
                                         plan_->pipeline->wave_size()),
                      options.type);
}

}  // namespace crosslane
