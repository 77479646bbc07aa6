#include "crosslane/scan.hpp"

#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/error_factor.hpp"
#include "algorithms/method_choice.hpp"
#include "algorithms/range.hpp"
#include "algorithms/scan_plan.hpp"
#include "algorithms/tile_plan.hpp"
#include "algorithms/tiled_kernel.hpp"

namespace crosslane {
namespace {

/// HLSL has prefix intrinsics for sums alone.
MethodChoice method_for(const DeviceInfo& device, const ScanOptions& options) {
  MethodChoice choice = choose_method(
      device, {"scan", options.method, options.decisions, options.wave_size, computed_type(options.type, options.op)});
  if (choice.method == Method::wave_intrinsics && (options.functor || options.op != Operator::sum)) {
    choice = {Method::shuffle,
              fmt::format("HLSL has no prefix intrinsic for {}",
                          options.functor ? "operators of a program's own" : fmt::format("'{}'", name(options.op)))};
  }
  return choice;
}

/// An operator of the program's own is taken for what is exchanged as words.
ScanOptions resolved(ScanOptions options) {
  options.decisions = nullptr;
  if (options.functor) {
    options.type = ScalarType::u32;
    options.op = Operator::sum;
  }
  return options;
}

Expected<void> check_operator(const ScanOptions& options) {
  if (options.functor) {
    return check_element_bytes(options.functor->element_bytes, "scanned");
  }
  return options.op == Operator::sum || options.op == Operator::minimum || options.op == Operator::maximum
             ? Expected<void>{}
             : fail(ErrorCode::invalid_argument,
                    fmt::format("scans have no operator '{}': use sum, min or max", name(options.op)));
}

}  // namespace

struct Scan::Plan {
  Device* device = nullptr;
  ScanOptions options;
  MethodChoice choice;
  std::optional<TiledKernel> kernel;

  [[nodiscard]] std::uint64_t element_bytes() const {
    return options.functor ? options.functor->element_bytes : size_of(options.type);
  }
  [[nodiscard]] Expected<void> check(const BufferPlace& input, std::uint64_t count, const BufferPlace& output) const;
  [[nodiscard]] Expected<void> record(CommandList& list, const BufferPlace& input, std::uint64_t count,
                                      const BufferPlace& output, const BufferPlace& counts);
};

Expected<void> Scan::Plan::check(const BufferPlace& input, std::uint64_t count, const BufferPlace& output) const {
  const std::uint64_t size = element_bytes();
  const std::uint64_t bytes = count * size;
  return check_range(*input.buffer, input.offset, count, size, "input")
      .and_then([&] { return check_range(*output.buffer, output.offset, count, size, "output"); })
      .and_then([&]() -> Expected<void> {
        if (input.buffer == output.buffer && input.offset != output.offset &&
            overlaps(input.offset, bytes, output.offset, bytes)) {
          return fail(ErrorCode::invalid_argument,
                      fmt::format("the input at byte {} and the output at byte {} overlap in {} bytes each: scan in "
                                  "place, or into another range",
                                  input.offset, output.offset, bytes));
        }
        return {};
      });
}

Expected<void> Scan::Plan::record(CommandList& list, const BufferPlace& input, std::uint64_t count,
                                  const BufferPlace& output, const BufferPlace& counts) {
  auto checked = check(input, count, output);
  if (!checked || count == 0) {
    return checked;
  }
  const auto slot = kernel->take(list);
  if (!slot) {
    return tl::unexpected<Error>(slot.error());
  }
  const std::uint64_t size = element_bytes();
  const std::array arrays = {TiledArray{input.offset, size}, TiledArray{output.offset, size}};
  Expected<void> recorded;
  for (const TiledDispatch& part : plan_tiles(device->info(), arrays, scan_tile(size), count)) {
    const ArrayView& from = part.views[0];
    const ArrayView& to = part.views[1];
    const std::vector<Binding> bindings = {
        {0, input.buffer, from.offset, from.bytes},
        {1, input.buffer, from.offset, from.bytes},
        {2, output.buffer, to.offset, to.bytes},
        {3, output.buffer, to.offset, to.bytes},
    };
    const kernel_interface::ScanParams params{part.part, from.first, to.first, to.vectors ? 1U : 0U,
                                              options.exclusive ? 1U : 0U};
    recorded = recorded.and_then([&] { return kernel->record(list, bindings, params, *slot, counts); });
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
  plan->options = resolved(options);
  plan->choice = method_for(device.info(), options);
  const ScanOptions& now = plan->options;
  return check_operator(now)
      .and_then([&] { return check_types(device.info(), now.type, now.op, plan->choice.method); })
      .and_then([&] {
        return TiledKernel::create(device,
                                   {.name = scan_kernel_name(now, plan->choice.method),
                                    .table = now.functor ? now.functor->kernels.kernels : std::span<const Kernel>(),
                                    .wave_size = now.wave_size,
                                    .passes = now.passes,
                                    .value_bytes = plan->element_bytes()});
      })
      .map([&](TiledKernel created) {
        plan->kernel = std::move(created);
        return Scan(std::move(plan));
      });
}

Expected<void> Scan::record(CommandList& list, Buffer& input, std::uint64_t input_offset, std::uint64_t count,
                            Buffer& output, std::uint64_t output_offset) {
  return plan_->record(list, {&input, input_offset}, count, {&output, output_offset}, {});
}

Expected<void> Scan::record_indirect(CommandList& list, Buffer& input, std::uint64_t input_offset, Buffer& counts,
                                     std::uint64_t count_offset, std::uint64_t capacity, Buffer& output,
                                     std::uint64_t output_offset) {
  return check_counts({&counts, count_offset}).and_then([&] {
    return plan_->record(list, {&input, input_offset}, capacity, {&output, output_offset}, {&counts, count_offset});
  });
}

Method Scan::method() const { return plan_->choice.method; }

const std::string& Scan::method_note() const { return plan_->choice.note; }

Passes Scan::passes() const { return plan_->kernel->passes(); }

double Scan::error_bound(std::uint64_t count) const {
  const ScanOptions& options = plan_->options;
  if (!is_float(options.type) || options.op != Operator::sum) {
    return 0;
  }
  return error_factor(
      longest_scan_chain(plan_->device->info(), options.type, count, plan_->choice.method, plan_->kernel->wave_size()),
      options.type);
}

}  // namespace crosslane
