#include "crosslane/reduction.hpp"

#include <cstring>

#include <fmt/format.h>

#include "algorithms/error_factor.hpp"
#include "algorithms/indirect_count.hpp"
#include "algorithms/kernel_pipeline.hpp"
#include "algorithms/method_choice.hpp"
#include "algorithms/range.hpp"
#include "algorithms/reduction_plan.hpp"
#include "algorithms/state_slots.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

/// The order of a float sum is the device's where its own intrinsics add it up.
bool leaves_order_to_device(const ReductionOptions& options, Method method) {
  return options.reproducible && is_float(options.type) && options.op == Operator::sum &&
         method == Method::wave_intrinsics;
}

MethodChoice method_for(const DeviceInfo& device, const ReductionOptions& options) {
  MethodChoice choice = choose_method(device, {"reduce", options.method, options.decisions, options.wave_size,
                                               computed_type(options.type, options.op)});
  if (leaves_order_to_device(options, choice.method)) {
    choice = {Method::shuffle, "wave intrinsics leave the order of a float sum to the device, shuffles do not"};
  }
  return choice;
}

/// 32-bit integer sums of the groups can meet in one 64-bit atomic.
bool finishes_packed(const DeviceInfo& device, const ReductionOptions& options) {
  return device.features.int64_atomics && options.op == Operator::sum &&
         (options.type == ScalarType::u32 || options.type == ScalarType::i32);
}

bool keeps_denormals(const DeviceInfo& device, ScalarType type) {
  return type == ScalarType::f64 ? device.features.denormals_preserved64 : device.features.denormals_preserved32;
}

/// The count of groups that have finished, 32 bits of it or 64.
constexpr std::uint64_t finished_bytes = 8;

}  // namespace

struct Reduction::Plan {
  Device* device = nullptr;
  ReductionOptions options;
  MethodChoice choice;
  bool tree = false;  ///< the reproducible kernel runs
  std::unique_ptr<Pipeline> pipeline;
  std::optional<StateSlots> state;  ///< the groups' results; the count of groups that have finished
  /// Results of the reproducible tree's levels, even and odd ones. Lists recorded earlier still use the smaller ones
  /// that larger inputs have replaced, so those are kept.
  std::array<std::vector<std::unique_ptr<Buffer>>, 2> levels;

  [[nodiscard]] Expected<void> create_pipeline();
  [[nodiscard]] Expected<void> create_state();
  [[nodiscard]] Expected<void> reserve_levels(std::uint64_t count);
  [[nodiscard]] Expected<void> record_empty(CommandList& list, const BufferPlace& output) const;
  [[nodiscard]] Expected<void> record(CommandList& list, const BufferPlace& input, std::uint64_t count,
                                      const BufferPlace& output, const BufferPlace& counts);
  [[nodiscard]] Expected<void> record_one_pass(CommandList& list, const BufferPlace& input, std::uint64_t count,
                                               const BufferPlace& output, const BufferPlace& counts);
  [[nodiscard]] Expected<void> record_tree(CommandList& list, const BufferPlace& input, std::uint64_t count,
                                           const BufferPlace& output, const BufferPlace& counts);

  /// Shows one element of `output` to binding `slot`; its number in the binding goes to `element`.
  [[nodiscard]] Binding output_binding(std::uint32_t slot, const BufferPlace& output, std::uint32_t& element) const {
    const std::uint64_t size = size_of(options.type);
    return bind_element(device->info().limits, slot, output, size, size, element);
  }
};

Expected<void> Reduction::Plan::create_pipeline() {
  std::string kernel_name = reduce_kernel_name(options.type, options.op, choice.method);
  if (finishes_packed(device->info(), options)) {
    kernel_name = fmt::format("reduce_packed.u32.sum.{}", name(choice.method));
  } else if (tree) {
    kernel_name = fmt::format("reduce_reproducible.{}.{}{}", name(options.type), name(choice.method),
                              keeps_denormals(device->info(), options.type) ? ".denormals" : "");
  }
  return create_kernel_pipeline(*device, kernel_name, options.wave_size).map([&](auto created) {
    pipeline = std::move(created);
  });
}

Expected<void> Reduction::Plan::create_state() {
  if (tree) {
    return {};
  }
  constexpr std::uint64_t slots = 8;
  const std::uint64_t partials_bytes = (CROSSLANE_REDUCE_MAX_GROUPS + 1) * size_of(options.type);
  return StateSlots::create(*device, {partials_bytes, finished_bytes}, slots).map([&](StateSlots made) {
    state = std::move(made);
  });
}

Expected<void> Reduction::Plan::reserve_levels(std::uint64_t count) {
  for (auto& buffers : levels) {
    count = divide_up(count, reproducible_block);
    const std::uint64_t bytes = count * size_of(options.type);
    if (count > 1 && (buffers.empty() || buffers.back()->bytes() < bytes)) {
      auto created = device->create_buffer({bytes, MemoryKind::device});
      if (!created) {
        return tl::unexpected(std::move(created.error()));
      }
      buffers.push_back(std::move(*created));
    }
  }
  return {};
}

Expected<void> Reduction::Plan::record_empty(CommandList& list, const BufferPlace& output) const {
  if (options.op == Operator::minimum || options.op == Operator::maximum) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("the {} of no elements is not defined: give at least one", name(options.op)));
  }
  const std::uint32_t word = options.op == Operator::bit_and ? 0xFFFFFFFFU : 0U;
  return list.fill(*output.buffer, output.offset, size_of(options.type), word);
}

Expected<void> Reduction::Plan::record_one_pass(CommandList& list, const BufferPlace& input, std::uint64_t count,
                                                const BufferPlace& output, const BufferPlace& counts) {
  std::uint32_t output_element = 0;
  const Binding result = output_binding(2, output, output_element);
  const auto slot = state->take(list);
  if (!slot) {
    return tl::unexpected<Error>(slot.error());
  }
  Expected<void> recorded;
  for (ReduceDispatch& part : plan_reduce(device->info(), size_of(options.type), input.offset, count)) {
    part.params.output_element = output_element;
    const std::array bindings = {
        Binding{0, input.buffer, part.input_offset, part.input_bytes},
        Binding{1, input.buffer, part.input_offset, part.input_bytes},
        result,
        state->bind(3, 0, *slot),
        state->bind(4, 1, *slot),
        bind_count(device->info().limits, 5, counts, state->bind(5, 1, *slot), part.params.count)};
    recorded =
        recorded.and_then([&] { return part.params.carry_in != 0 ? list.barrier() : Expected<void>{}; }).and_then([&] {
          return list.dispatch(*pipeline, bindings, bytes_of(part.params), {part.params.groups, 1, 1});
        });
  }
  return recorded;
}

Expected<void> Reduction::Plan::record_tree(CommandList& list, const BufferPlace& input, std::uint64_t count,
                                            const BufferPlace& output, const BufferPlace& counts) {
  if (auto reserved = reserve_levels(count); !reserved) {
    return reserved;
  }
  std::uint32_t output_element = 0;
  const Binding result = output_binding(1, output, output_element);
  for (ReproducibleDispatch& part :
       plan_reproducible(device->info().limits, size_of(options.type), input.offset, count)) {
    Buffer* source = part.level == 0 ? input.buffer : levels.at((part.level - 1) % 2).back().get();
    Binding destination = result;
    if (part.params.finish != 0) {
      part.params.output_element = output_element;
    } else {
      destination = {1, levels.at(part.level % 2).back().get(), part.output_offset, part.output_bytes};
    }
    const Binding elements{0, source, part.input_offset, part.input_bytes};
    const BufferPlace known = part.level == 0 ? counts : BufferPlace{};
    const std::array bindings = {elements, destination,
                                 bind_count(device->info().limits, 2, known, elements, part.params.elements)};
    auto recorded = list.barrier().and_then([&] {
      return list.dispatch(*pipeline, bindings, bytes_of(part.params), {part.params.groups, 1, 1});
    });
    if (!recorded) {
      return recorded;
    }
  }
  return {};
}

Expected<void> Reduction::Plan::record(CommandList& list, const BufferPlace& input, std::uint64_t count,
                                       const BufferPlace& output, const BufferPlace& counts) {
  const std::uint64_t size = size_of(options.type);
  return check_range(*input.buffer, input.offset, count, size, "input")
      .and_then([&] { return check_range(*output.buffer, output.offset, 1, size, "output"); })
      .and_then([&] {
        if (count == 0) {
          return record_empty(list, output);
        }
        return tree ? record_tree(list, input, count, output, counts)
                    : record_one_pass(list, input, count, output, counts);
      });
}

Reduction::Reduction(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Reduction::Reduction(Reduction&&) noexcept = default;
Reduction& Reduction::operator=(Reduction&&) noexcept = default;
Reduction::~Reduction() = default;

Expected<Reduction> Reduction::create(Device& device, const ReductionOptions& options) {
  auto plan = std::make_unique<Plan>();
  plan->device = &device;
  plan->options = options;
  plan->options.decisions = nullptr;
  plan->choice = method_for(device.info(), options);
  plan->tree = options.reproducible && is_float(options.type) && options.op == Operator::sum;
  return check_types(device.info(), options.type, options.op, plan->choice.method)
      .and_then([&] { return plan->create_pipeline(); })
      .and_then([&] { return plan->create_state(); })
      .map([&] { return Reduction(std::move(plan)); });
}

Expected<void> Reduction::record(CommandList& list, Buffer& input, std::uint64_t input_offset, std::uint64_t count,
                                 Buffer& output, std::uint64_t output_offset) {
  return plan_->record(list, {&input, input_offset}, count, {&output, output_offset}, {});
}

Expected<void> Reduction::record_indirect(CommandList& list, Buffer& input, std::uint64_t input_offset, Buffer& counts,
                                          std::uint64_t count_offset, std::uint64_t capacity, Buffer& output,
                                          std::uint64_t output_offset) {
  const BufferPlace place{&counts, count_offset};
  return check_counts(place).and_then([&] {
    return plan_->record(list, {&input, input_offset}, capacity, {&output, output_offset}, place);
  });
}

Method Reduction::method() const { return plan_->choice.method; }

const std::string& Reduction::method_note() const { return plan_->choice.note; }

double Reduction::error_bound(std::uint64_t count) const {
  const ReductionOptions& options = plan_->options;
  if (!is_float(options.type) || options.op != Operator::sum) {
    return 0;
  }
  return error_factor(longest_chain(plan_->device->info(), options.type, count, plan_->tree, plan_->choice.method,
                                    plan_->pipeline->wave_size()),
                      options.type);
}

}  // namespace crosslane
