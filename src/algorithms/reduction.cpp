#include "crosslane/reduction.hpp"

#include <cstring>

#include <fmt/format.h>

#include "algorithms/reduction_plan.hpp"
#include "base/rounding.hpp"
#include "kernels/kernel.hpp"

namespace crosslane {
namespace {

/// The method that will run, and why if it is not the one asked for.
struct MethodChoice {
  Method method = Method::groupshared;
  std::string note;
};

bool has_wave_operations(const DeviceInfo& device, ScalarType type, Method method) {
  const DeviceFeatures& features = device.features;
  const bool any = method == Method::shuffle ? features.wave_shuffle : features.wave_arithmetic;
  return any && (type != ScalarType::u64 && type != ScalarType::i64 ? true : features.wave_extended_types);
}

/// The type that is combined: float minima and maxima work on integer keys.
ScalarType computed_type(const ReductionOptions& options) {
  if (!is_float(options.type) || options.op == Operator::sum) {
    return options.type;
  }
  return options.type == ScalarType::f64 ? ScalarType::u64 : ScalarType::u32;
}

/// The order of a float sum is the device's where its own intrinsics add it up.
bool leaves_order_to_device(const ReductionOptions& options, Method method) {
  return options.reproducible && is_float(options.type) && options.op == Operator::sum &&
         method == Method::wave_intrinsics;
}

MethodChoice choose_method(const DeviceInfo& device, const ReductionOptions& options) {
  MethodChoice choice{options.method, {}};
  if (options.method == Method::automatic) {
    const auto decided = options.decisions != nullptr ? options.decisions->decide(device, "reduce") : std::nullopt;
    choice.method = decided.value_or(Method::automatic);
    if (choice.method == Method::automatic) {
      choice.method = default_method(options.wave_size.value_or(device.wave_sizes.standard));
    }
  }
  if (leaves_order_to_device(options, choice.method)) {
    choice = {Method::shuffle, "wave intrinsics leave the order of a float sum to the device, shuffles do not"};
  }
  const ScalarType computed = computed_type(options);
  if (options.method == Method::automatic && choice.method != Method::groupshared &&
      !has_wave_operations(device, computed, choice.method)) {
    choice = {Method::groupshared, fmt::format("the device lacks wave operations on {}", name(computed))};
  }
  return choice;
}

/// 32-bit integer sums of the groups can meet in one 64-bit atomic.
bool finishes_packed(const DeviceInfo& device, const ReductionOptions& options) {
  return device.features.int64_atomics && options.op == Operator::sum &&
         (options.type == ScalarType::u32 || options.type == ScalarType::i32);
}

/// The types that the kernel computes with: float minima and maxima work on integer keys.
Expected<void> check_types(const DeviceInfo& device, const ReductionOptions& options, Method method) {
  if (!is_defined(options.op, options.type)) {
    return fail(ErrorCode::invalid_argument, fmt::format("operator '{}' is not defined for {}: use sum, min or max",
                                                         name(options.op), name(options.type)));
  }
  const bool wide = size_of(options.type) == 8;
  if (options.type == ScalarType::f64 && !device.features.float64) {
    return fail(ErrorCode::unsupported, fmt::format("{} ({}) has no 64-bit floats", device.id, device.name));
  }
  // The canonical form of a double's sum is found on its bits.
  if (wide && !device.features.int64) {
    return fail(ErrorCode::unsupported, fmt::format("{} ({}) has no 64-bit integers", device.id, device.name));
  }
  const ScalarType computed = computed_type(options);
  if (method != Method::groupshared && !has_wave_operations(device, computed, method)) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} ({}) lacks the wave operations on {} that method '{}' needs: use groupshared",
                            device.id, device.name, name(computed), name(method)));
  }
  return {};
}

bool keeps_denormals(const DeviceInfo& device, ScalarType type) {
  return type == ScalarType::f64 ? device.features.denormals_preserved64 : device.features.denormals_preserved32;
}

Expected<void> check_range(const Buffer& buffer, std::uint64_t offset, std::uint64_t count, ScalarType type,
                           std::string_view what) {
  const std::uint64_t size = size_of(type);
  if (offset % size != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("the {} offset {} is not a multiple of the element size {}", what, offset, size));
  }
  if (offset > buffer.bytes() || count > (buffer.bytes() - offset) / size) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("the {} range of {} elements of {} bytes from byte {} on does not fit the buffer of {} bytes", what,
                    count, size, offset, buffer.bytes()));
  }
  return {};
}

/// The count of groups that have finished, 32 bits of it or 64.
constexpr std::uint64_t finished_bytes = 8;

template <typename Params>
std::span<const std::byte> bytes_of(const Params& params) {
  return std::as_bytes(std::span(&params, 1));
}

}  // namespace

struct Reduction::Plan {
  Device* device = nullptr;
  ReductionOptions options;
  MethodChoice choice;
  bool tree = false;  ///< the reproducible kernel runs
  std::unique_ptr<Pipeline> pipeline;
  /// The kernel's state, once per slot: recordings take the slots in turn, so that only every eighth waits for an
  /// earlier one.
  static constexpr std::uint64_t slots = 8;
  std::unique_ptr<Buffer> partials;
  std::unique_ptr<Buffer> finished;
  std::uint64_t next_slot = 0;
  std::uint64_t last_list = 0;  ///< serial of the list that was recorded into last
  /// Results of the reproducible tree's levels, even and odd ones. Lists recorded earlier still use the smaller ones
  /// that larger inputs have replaced, so those are kept.
  std::array<std::vector<std::unique_ptr<Buffer>>, 2> levels;

  [[nodiscard]] Expected<void> create_pipeline();
  [[nodiscard]] Expected<void> create_state();
  [[nodiscard]] std::uint64_t slot_bytes(std::uint64_t used) const {
    return round_up(used, device->info().limits.binding_alignment);
  }
  [[nodiscard]] std::uint64_t partials_bytes() const {
    return (CROSSLANE_REDUCE_MAX_GROUPS + 1) * size_of(options.type);
  }
  /// A barrier where the slot to be used next may still be in use, by this list or by one recorded before.
  [[nodiscard]] Expected<void> begin_slot(CommandList& list);
  [[nodiscard]] Expected<void> reserve_levels(std::uint64_t count);
  [[nodiscard]] Expected<void> record_empty(CommandList& list, Buffer& output, std::uint64_t output_offset) const;
  [[nodiscard]] Expected<void> record_one_pass(CommandList& list, Buffer& input, std::uint64_t input_offset,
                                               std::uint64_t count, Buffer& output, std::uint64_t output_offset);
  [[nodiscard]] Expected<void> record_tree(CommandList& list, Buffer& input, std::uint64_t input_offset,
                                           std::uint64_t count, Buffer& output, std::uint64_t output_offset);

  /// Shows one element of `output` to binding `slot`; its number in the binding goes to `element`.
  [[nodiscard]] Binding output_binding(std::uint32_t slot, Buffer& output, std::uint64_t offset,
                                       std::uint32_t& element) const {
    const std::uint64_t size = size_of(options.type);
    const std::uint64_t alignment = std::max(device->info().limits.binding_alignment, size);
    const std::uint64_t base = round_down(offset, alignment);
    element = static_cast<std::uint32_t>((offset - base) / size);
    return {slot, &output, base, offset - base + size};
  }
};

Expected<void> Reduction::Plan::create_pipeline() {
  std::string kernel_name = reduce_kernel_name(options.type, options.op, choice.method);
  if (finishes_packed(device->info(), options)) {
    kernel_name = fmt::format("reduce_packed.{}.u32.sum", name(choice.method));
  } else if (tree) {
    kernel_name = fmt::format("reduce_reproducible.{}.{}{}", name(choice.method), name(options.type),
                              keeps_denormals(device->info(), options.type) ? ".denormals" : "");
  }
  const Kernel* kernel = find_kernel(kernels(), kernel_name);
  if (kernel == nullptr) {
    return fail(ErrorCode::unsupported, fmt::format("this build of Crosslane has no kernel '{}'", kernel_name));
  }
  PipelineDescription description;
  description.spirv = kernel->spirv;
  description.wave_size = options.wave_size;
  description.name = kernel_name;
  auto created = device->create_pipeline(description);
  if (!created) {
    return tl::unexpected(std::move(created.error()));
  }
  pipeline = std::move(*created);
  return {};
}

Expected<void> Reduction::Plan::create_state() {
  if (tree) {
    return {};
  }
  auto partials_buffer = device->create_buffer({slots * slot_bytes(partials_bytes()), MemoryKind::device});
  if (!partials_buffer) {
    return tl::unexpected(std::move(partials_buffer.error()));
  }
  partials = std::move(*partials_buffer);
  const std::vector<std::byte> zeros(slots * slot_bytes(finished_bytes));
  auto finished_buffer = device->create_buffer({zeros.size(), MemoryKind::device});
  if (!finished_buffer) {
    return tl::unexpected(std::move(finished_buffer.error()));
  }
  finished = std::move(*finished_buffer);
  return upload(*device, *finished, zeros);
}

Expected<void> Reduction::Plan::begin_slot(CommandList& list) {
  const bool may_be_in_use = list.serial() != last_list || next_slot % slots == 0;
  last_list = list.serial();
  return may_be_in_use ? list.barrier() : Expected<void>{};
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

Expected<void> Reduction::Plan::record_empty(CommandList& list, Buffer& output, std::uint64_t output_offset) const {
  if (options.op == Operator::minimum || options.op == Operator::maximum) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("the {} of no elements is not defined: give at least one", name(options.op)));
  }
  const std::uint32_t word = options.op == Operator::bit_and ? 0xFFFFFFFFU : 0U;
  return list.fill(output, output_offset, size_of(options.type), word);
}

Expected<void> Reduction::Plan::record_one_pass(CommandList& list, Buffer& input, std::uint64_t input_offset,
                                                std::uint64_t count, Buffer& output, std::uint64_t output_offset) {
  std::uint32_t output_element = 0;
  const Binding result = output_binding(2, output, output_offset, output_element);
  auto recorded = begin_slot(list);
  const std::uint64_t slot = next_slot++ % slots;
  const Binding partials_binding{3, partials.get(), slot * slot_bytes(partials_bytes()), partials_bytes()};
  const Binding finished_binding{4, finished.get(), slot * slot_bytes(finished_bytes), finished_bytes};
  for (ReduceDispatch& part : plan_reduce(device->info(), size_of(options.type), input_offset, count)) {
    part.params.output_element = output_element;
    const std::array bindings = {Binding{0, &input, part.input_offset, part.input_bytes},
                                 Binding{1, &input, part.input_offset, part.input_bytes}, result, partials_binding,
                                 finished_binding};
    recorded =
        recorded.and_then([&] { return part.params.carry_in != 0 ? list.barrier() : Expected<void>{}; }).and_then([&] {
          return list.dispatch(*pipeline, bindings, bytes_of(part.params), {part.params.groups, 1, 1});
        });
  }
  return recorded;
}

Expected<void> Reduction::Plan::record_tree(CommandList& list, Buffer& input, std::uint64_t input_offset,
                                            std::uint64_t count, Buffer& output, std::uint64_t output_offset) {
  if (auto reserved = reserve_levels(count); !reserved) {
    return reserved;
  }
  std::uint32_t output_element = 0;
  const Binding result = output_binding(1, output, output_offset, output_element);
  for (ReproducibleDispatch& part :
       plan_reproducible(device->info().limits, size_of(options.type), input_offset, count)) {
    Buffer* source = part.level == 0 ? &input : levels.at((part.level - 1) % 2).back().get();
    Binding destination = result;
    if (part.params.finish != 0) {
      part.params.output_element = output_element;
    } else {
      destination = {1, levels.at(part.level % 2).back().get(), part.output_offset, part.output_bytes};
    }
    const std::array bindings = {Binding{0, source, part.input_offset, part.input_bytes}, destination};
    auto recorded = list.barrier().and_then([&] {
      return list.dispatch(*pipeline, bindings, bytes_of(part.params), {part.params.groups, 1, 1});
    });
    if (!recorded) {
      return recorded;
    }
  }
  return {};
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
  plan->choice = choose_method(device.info(), options);
  plan->tree = options.reproducible && is_float(options.type) && options.op == Operator::sum;
  return check_types(device.info(), options, plan->choice.method)
      .and_then([&] { return plan->create_pipeline(); })
      .and_then([&] { return plan->create_state(); })
      .map([&] { return Reduction(std::move(plan)); });
}

Expected<void> Reduction::record(CommandList& list, Buffer& input, std::uint64_t input_offset, std::uint64_t count,
                                 Buffer& output, std::uint64_t output_offset) {
  return check_range(input, input_offset, count, plan_->options.type, "input")
      .and_then([&] { return check_range(output, output_offset, 1, plan_->options.type, "output"); })
      .and_then([&] {
        if (count == 0) {
          return plan_->record_empty(list, output, output_offset);
        }
        if (plan_->tree) {
          return plan_->record_tree(list, input, input_offset, count, output, output_offset);
        }
        return plan_->record_one_pass(list, input, input_offset, count, output, output_offset);
      });
}

Method Reduction::method() const { return plan_->choice.method; }

const std::string& Reduction::method_note() const { return plan_->choice.note; }

double Reduction::error_bound(std::uint64_t count) const {
  const ReductionOptions& options = plan_->options;
  if (!is_float(options.type) || options.op != Operator::sum) {
    return 0;
  }
  const double unit_roundoff = options.type == ScalarType::f64 ? 0x1p-53 : 0x1p-24;
  const auto chain = static_cast<double>(longest_chain(plan_->device->info(), options.type, count, plan_->tree,
                                                       plan_->choice.method, plan_->pipeline->wave_size()));
  return chain * unit_roundoff / (1 - chain * unit_roundoff);
}

}  // namespace crosslane
