#include "algorithms/blur_plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

constexpr std::uint64_t word_bytes = 4;

constexpr std::array shapes = {
#define CROSSLANE_BLUR_SHAPE(name, channels, bits, unorm, pixels, step, fused, column_rows) \
  BlurShape{channels, bits, (unorm) != 0, pixels, step, fused, column_rows},
    CROSSLANE_BLUR_FORMATS(CROSSLANE_BLUR_SHAPE)
#undef CROSSLANE_BLUR_SHAPE
};
static_assert(shapes.size() == all_blur_formats.size());

// Kernels for one pass have registers for radii up to these; the last is the shape's `fused`.
constexpr std::array register_classes = {4U, 8U, 16U};

// Rows that a group blurs, where an image is large enough that groups of so many fill the device, and groups that fill
// a processor of a GPU. Each group reads 2 · radius rows more than it writes, so many rows are better; and never fewer
// than the least. Where kernels have many registers, for radii beyond the first class, a processor has room for fewer
// groups, and more rows are worth some idle room.
struct GroupRows {
  std::uint64_t usual;
  std::uint64_t groups_per_processor;
};
constexpr GroupRows few_registers{64, 3};
constexpr GroupRows many_registers{128, 1};
constexpr std::uint64_t least_rows = 8;

// Processors of a device that does not say.
constexpr std::uint64_t unknown_processors = 64;

// Memory between two passes is no more than this where a few rows fit it: an image is blurred in bands.
constexpr std::uint64_t largest_between = std::uint64_t{1} << 28U;

std::uint32_t register_class(const BlurShape& shape, std::uint32_t radius) {
  if (radius <= register_classes.front()) {
    return register_classes.front();
  }
  return shape.fused;
}

// How many rows a group takes of `rows`, where `across` groups lie side by side.
std::uint64_t rows_per_group(const DeviceInfo& device, const GroupRows& wanted, std::uint64_t across,
                             std::uint64_t rows) {
  const std::uint64_t processors = device.processors == 0 ? unknown_processors : device.processors;
  std::uint64_t taken = wanted.usual;
  while (taken > least_rows && across * divide_up(rows, taken) < processors * wanted.groups_per_processor) {
    taken /= 2;
  }
  return std::max(taken, divide_up(rows, device.limits.groups[1]));
}

Expected<void> check_view(const DeviceLimits& limits, const BlurView& view, std::string_view what) {
  // A binding may begin a little before the image.
  if (view.bytes + binding_step(limits) > binding_capacity(limits)) {
    return fail(ErrorCode::unsupported,
                fmt::format("the {} spans {} bytes, more than the {} that a binding of the device shows: blur parts of "
                            "it, each with `radius` more pixels around",
                            what, view.bytes, binding_capacity(limits)));
  }
  return {};
}

class Planner {
 public:
  Planner(const DeviceInfo& device, const BlurJob& job)
      : device_(device),
        job_(job),
        shape_(shape_of(job.format)),
        across_(divide_up(job.width, std::uint64_t{CROSSLANE_BLUR_THREADS} * shape_.pixels)) {}

  Expected<BlurWork> plan() {
    if (across_ > device_.limits.groups[0]) {
      return fail(ErrorCode::unsupported,
                  fmt::format("rows of {} pixels are more than a dispatch of the device blurs", job_.width));
    }
    if (job_.radius <= shape_.fused) {
      const GroupRows& wanted = job_.radius <= register_classes.front() ? few_registers : many_registers;
      const std::uint64_t rows = rows_per_group(device_, wanted, across_, job_.height);
      add(0, false, 0, job_.height, rows, divide_up(job_.height, rows));
      return work_;
    }
    return plan_two_passes();
  }

 private:
  Expected<BlurWork> plan_two_passes() {
    const DeviceLimits& limits = device_.limits;
    const std::uint64_t more = 2 * std::uint64_t{job_.radius};  // rows that the second pass reads beside its own
    const std::uint64_t row_bytes = threads() * shape_.pixels * CROSSLANE_BLUR_STORED(shape_.channels) * sizeof(float);
    const std::uint64_t room = std::min(largest_between, binding_capacity(limits)) / row_bytes;
    const std::uint64_t most_rows = std::uint64_t{limits.groups[1]} * shape_.column_rows;
    const std::uint64_t band = std::min({job_.height, most_rows, room < more + least_rows ? least_rows : room - more});
    work_.between_bytes = (std::min(band, job_.height) + more) * row_bytes;
    if (work_.between_bytes > binding_capacity(limits)) {
      return fail(ErrorCode::unsupported,
                  fmt::format("rows of {} pixels need {} bytes between two passes, more than the {} that a binding of "
                              "the device shows: blur parts of the image, each with `radius` more pixels around",
                              job_.width, work_.between_bytes, binding_capacity(limits)));
    }
    for (std::uint64_t begin = 0; begin < job_.height; begin += band) {
      const std::uint64_t end = std::min(begin + band, job_.height);
      const std::uint64_t rows = rows_per_group(device_, few_registers, across_, end - begin + more);
      add(0, begin != 0, begin, end, rows, divide_up(end - begin + more, rows));
      add(1, true, begin, end, shape_.column_rows, divide_up(end - begin, shape_.column_rows));
    }
    return work_;
  }

  [[nodiscard]] std::uint64_t threads() const { return across_ * CROSSLANE_BLUR_THREADS; }

  void add(std::size_t pass, bool after_barrier, std::uint64_t begin, std::uint64_t end, std::uint64_t rows,
           std::uint64_t groups) {
    BlurDispatch dispatch;
    dispatch.pass = pass;
    dispatch.after_barrier = after_barrier;
    dispatch.groups = {narrow(across_), narrow(groups), 1};
    kernel_interface::BlurParams& params = dispatch.params;
    params.from.pitch = narrow(job_.input.pitch / word_bytes);
    params.to.pitch = narrow(job_.output.pitch / word_bytes);
    params.width = narrow(job_.width);
    params.height = narrow(job_.height);
    params.begin = narrow(begin);
    params.end = narrow(end);
    params.rows = narrow(rows);
    params.threads = narrow(threads());
    work_.dispatches.push_back(dispatch);
  }

  const DeviceInfo& device_;
  const BlurJob& job_;
  BlurShape shape_;
  std::uint64_t across_;
  BlurWork work_;
};

}  // namespace

BlurShape shape_of(BlurFormat format) { return shapes.at(static_cast<std::size_t>(format)); }

double default_blur_sigma(std::uint32_t radius) { return 0.3 * (static_cast<double>(radius) - 1) + 0.8; }

std::uint64_t blur_row_bytes(BlurFormat format, std::uint64_t width) {
  const BlurShape shape = shape_of(format);
  return width * shape.channels * shape.bits / 8;
}

BlurWeights make_blur_weights(std::uint32_t radius, double sigma) {
  std::vector<double> exact(radius + 1);
  double sum = 0;
  for (std::uint32_t distance = radius; distance <= radius; --distance) {  // the small ones first
    const double in_sigmas = distance / sigma;
    exact[distance] = std::exp(-0.5 * in_sigmas * in_sigmas);
    sum += exact[distance] * (distance == 0 ? 1 : 2);
  }
  BlurWeights weights;
  for (std::uint32_t distance = 0; distance <= radius; ++distance) {
    const auto weight = static_cast<float>(exact[distance] / sum);
    weights.by_distance.at(distance) = weight;
    weights.by_age.at(radius - distance) = weight;
    weights.by_age.at(radius + distance) = weight;
  }
  return weights;
}

std::vector<std::string> blur_kernel_names(BlurFormat format, std::uint32_t radius, Method method) {
  const BlurShape shape = shape_of(format);
  if (radius <= shape.fused) {
    return {fmt::format("blur.{}.{}.{}", name(format), register_class(shape, radius), name(method))};
  }
  return {fmt::format("blur_rows.{}.{}", name(format), name(method)), fmt::format("blur_columns.{}", name(format))};
}

BlurView view_of(BlurFormat format, const BlurImage& image, std::uint64_t width, std::uint64_t height) {
  const std::uint64_t row = blur_row_bytes(format, width);
  BlurView view{image.place.offset, image.row_pitch, 0};
  view.pitch = view.pitch == 0 ? round_up(row, word_bytes) : view.pitch;
  view.bytes = (height - 1) * view.pitch + round_up(row, word_bytes);
  return view;
}

Expected<BlurWork> plan_blur(const DeviceInfo& device, const BlurJob& job) {
  return check_view(device.limits, job.input, "input")
      .and_then([&] { return check_view(device.limits, job.output, "output"); })
      .and_then([&] { return Planner(device, job).plan(); });
}

}  // namespace crosslane
