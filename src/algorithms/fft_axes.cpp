#include "crosslane/fft_axes.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/product.hpp"

namespace crosslane {
namespace {

Expected<void> check_axes(const FftGrid& grid) {
  if (grid.axes.empty()) {
    return fail(ErrorCode::invalid_argument, "a Fourier transform goes along one axis at least: name one");
  }
  for (auto axis = grid.axes.begin(); axis != grid.axes.end(); ++axis) {
    if (*axis >= grid.shape.size()) {
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("there is no axis {} in an array of {} dimensions: they count from 0", *axis, grid.shape.size()));
    }
    if (std::find(grid.axes.begin(), axis, *axis) != axis) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("axis {} is named twice in {}: name it once", *axis, fmt::join(grid.axes, ", ")));
    }
  }
  return {};
}

}  // namespace

struct FftAxes::Plan {
  /// Transforms along one axis of the array.
  struct Step {
    Fft fft;
    std::size_t axis;
  };

  std::vector<std::uint64_t> complex_shape;  ///< of the spectrum, where there are real numbers
  std::vector<std::uint64_t> real_shape;
  FftOptions options;
  std::vector<Step> steps;
  std::unique_ptr<Buffer> spectrum;  ///< that becomes real numbers, after all but the last step of it

  [[nodiscard]] static FftArray array(const BufferPlace& place, const std::vector<std::uint64_t>& shape,
                                      std::size_t axis) {
    const std::uint64_t behind = product(std::span(shape).subspan(axis + 1));
    return behind == 1 ? FftArray{place, 1, shape[axis]} : FftArray{place, behind, 1, shape[axis] * behind};
  }

  Expected<void> record(CommandList& list, Step& step, const BufferPlace& input, const BufferPlace& output,
                        bool is_real) const {
    const std::span<const std::uint64_t> shape = complex_shape;
    const std::uint64_t before = product(shape.first(step.axis));
    const std::uint64_t behind = product(shape.subspan(step.axis + 1));
    const auto& from = is_real && !options.inverse ? real_shape : complex_shape;
    const auto& to = is_real && options.inverse ? real_shape : complex_shape;
    return step.fft.record(list, array(input, from, step.axis), array(output, to, step.axis),
                           behind == 1 ? before : behind, behind == 1 ? 1 : before);
  }
};

FftAxes::FftAxes(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
FftAxes::FftAxes(FftAxes&&) noexcept = default;
FftAxes& FftAxes::operator=(FftAxes&&) noexcept = default;
FftAxes::~FftAxes() = default;

Expected<FftAxes> FftAxes::create(Device& device, const FftGrid& grid, const FftOptions& options) {
  auto plan = std::make_unique<Plan>();
  plan->options = options;
  plan->options.decisions = nullptr;
  plan->real_shape = grid.shape;
  plan->complex_shape = grid.shape;
  Expected<void> created = check_axes(grid);
  if (!created) {
    return tl::unexpected(std::move(created.error()));
  }
  const std::size_t last = grid.axes.back();
  if (options.real) {
    plan->complex_shape[last] = grid.shape[last] / 2 + 1;
  }
  // The last axis first, but for real numbers, which come at the very end.
  std::vector<std::size_t> order(grid.axes.rbegin(), grid.axes.rend());
  if (options.real && options.inverse) {
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  for (const std::size_t axis : order) {
    FftOptions own = options;
    own.size = grid.shape[axis];
    own.real = options.real && axis == last;
    own.apart = own.real && product(std::span(grid.shape).subspan(axis + 1)) != 1;
    auto fft = Fft::create(device, own);
    if (!fft) {
      return tl::unexpected(std::move(fft.error()));
    }
    plan->steps.push_back({std::move(*fft), axis});
  }
  const std::uint64_t spectrum_bytes = product(plan->complex_shape) * 2 * size_of(options.type);
  if (options.real && options.inverse && order.size() > 1 && spectrum_bytes != 0) {
    created = device.create_buffer({spectrum_bytes, MemoryKind::device}).map([&](std::unique_ptr<Buffer> buffer) {
      plan->spectrum = std::move(buffer);
    });
  }
  return created.map([&] { return FftAxes(std::move(plan)); });
}

Expected<void> FftAxes::record(CommandList& list, const BufferPlace& input, const BufferPlace& output) {
  Expected<void> recorded;
  BufferPlace from = input;
  const std::size_t count = plan_->steps.size();
  for (std::size_t number = 0; number < count; ++number) {
    const bool is_real = plan_->options.real && number == (plan_->options.inverse ? count - 1 : 0);
    const bool is_spectrum = plan_->spectrum != nullptr && number + 1 < count;
    const BufferPlace to = is_spectrum ? BufferPlace{plan_->spectrum.get(), 0} : output;
    recorded = recorded.and_then([&] { return number == 0 ? Expected<void>{} : list.barrier(); }).and_then([&] {
      return plan_->record(list, plan_->steps[number], from, to, is_real);
    });
    from = to;
  }
  return recorded;
}

Method FftAxes::method() const { return plan_->steps.front().fft.method(); }

const std::string& FftAxes::method_note() const { return plan_->steps.front().fft.method_note(); }

std::uint32_t FftAxes::passes() const {
  std::uint32_t sum = 0;
  for (const Plan::Step& step : plan_->steps) {
    sum += step.fft.passes();
  }
  return sum;
}

double FftAxes::error_bound() const {
  double sum = 0;
  for (const Plan::Step& step : plan_->steps) {
    sum += step.fft.error_bound();
  }
  return sum;
}

}  // namespace crosslane
