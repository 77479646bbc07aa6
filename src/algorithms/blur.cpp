#include "crosslane/blur.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "algorithms/blur_plan.hpp"
#include "algorithms/kernel_pipeline.hpp"
#include "algorithms/method_choice.hpp"
#include "algorithms/range.hpp"

namespace crosslane {
namespace {

constexpr std::uint64_t word_bytes = 4;
constexpr std::uint64_t size_limit = std::uint64_t{1}
                                     << 28U;  // kernels count pixels in ints, twice over where mirrored

double largest_value(const BlurShape& shape) { return static_cast<double>((std::uint64_t{1} << shape.bits) - 1); }

Expected<void> check_border(const BlurOptions& options) {
  const BlurShape shape = shape_of(options.format);
  for (std::uint32_t channel = 0; channel < shape.channels && options.border == BlurBorder::constant; ++channel) {
    const double value = options.border_value.at(channel);
    if (shape.unorm && !(value >= 0 && value <= largest_value(shape))) {
      return fail(ErrorCode::invalid_argument, fmt::format("a border of {}: channels of {} go from 0 to {}", value,
                                                           name(options.format), largest_value(shape)));
    }
  }
  return {};
}

Expected<void> check_options(const BlurOptions& options, double sigma) {
  if (options.radius == 0 || options.radius > CROSSLANE_BLUR_RADIUS) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("a blur's radius is from 1 to {} pixels, not {}", CROSSLANE_BLUR_RADIUS, options.radius));
  }
  if (!std::isfinite(sigma) || sigma <= 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("a blur's sigma is a number of pixels greater than 0, not {}", sigma));
  }
  if (options.linear_light && !shape_of(options.format).unorm) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("colours of format {} are taken for light as they are: only integers can be sRGB",
                            name(options.format)));
  }
  return check_border(options);
}

Expected<void> check_method(const DeviceInfo& device, Method method) {
  if (method == Method::wave_intrinsics) {
    return fail(ErrorCode::unsupported,
                "HLSL's wave intrinsics reduce and scan, and a blur reads the pixels of neighbouring lanes: use method "
                "shuffle or groupshared");
  }
  return check_types(device, ScalarType::f32, Operator::sum, method);
}

// Which pipeline of a pass.
struct PassVariant {
  std::size_t pass = 0;
  bool from_vectors = false;
  bool to_vectors = false;

  /// Each variant has one of its own.
  [[nodiscard]] std::size_t number() const { return 4 * pass + (from_vectors ? 2 : 0) + (to_vectors ? 1 : 0); }
};

// Whether a thread's pixels can be taken as one vector, which devices read and write at a multiple of its size.
bool are_vectors(const BlurShape& shape, const BlurView& view) {
  const std::uint64_t bytes = shape.thread_bytes();
  return vector_bytes % bytes == 0 && view.offset % bytes == 0 && view.pitch % bytes == 0;
}

}  // namespace

struct Blur::Plan {
  Device* device = nullptr;
  BlurOptions options;
  double sigma = 1;
  MethodChoice choice;
  BlurShape shape;
  std::vector<std::string> kernels;
  std::unique_ptr<Buffer> weights;
  std::map<std::size_t, std::unique_ptr<Pipeline>> pipelines;  ///< by PassVariant::number
  /// Between passes. Lists recorded earlier still use the smaller ones that larger ones have replaced.
  std::vector<std::unique_ptr<Buffer>> between;

  [[nodiscard]] Expected<void> create_weights();
  [[nodiscard]] Expected<Pipeline*> pipeline_of(const PassVariant& variant);
  [[nodiscard]] Expected<void> reserve(std::uint64_t bytes);
  [[nodiscard]] Expected<void> dispatch(CommandList& list, BlurDispatch part, const BlurJob& job, Buffer& input,
                                        Buffer& output);
  [[nodiscard]] Expected<void> record(CommandList& list, const BlurImage& input, const BlurImage& output,
                                      std::uint64_t width, std::uint64_t height);
};

namespace {

Expected<void> check_image(BlurFormat format, const BlurImage& image, std::uint64_t width, std::string_view what) {
  const std::uint64_t row = blur_row_bytes(format, width);
  if (image.place.offset % word_bytes != 0 || image.row_pitch % word_bytes != 0) {
    return fail(ErrorCode::invalid_argument, fmt::format("the {} begins at byte {} with {} bytes from row to row: both "
                                                         "have to be multiples of {}",
                                                         what, image.place.offset, image.row_pitch, word_bytes));
  }
  if (image.row_pitch != 0 && (image.row_pitch < row || image.row_pitch > std::numeric_limits<std::uint32_t>::max())) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("the {} has {} bytes from row to row: at least the {} of its {} pixels, and less than 2^32",
                            what, image.row_pitch, row, width));
  }
  return {};
}

Expected<void> check_fit(const BlurImage& image, const BlurView& view, std::string_view what) {
  return check_range(*image.place.buffer, view.offset, view.bytes / word_bytes, word_bytes, what);
}

Expected<void> check_overlap(const BlurImage& input, const BlurImage& output, const BlurJob& job) {
  if (input.place.buffer == output.place.buffer &&
      overlaps(job.input.offset, job.input.bytes, job.output.offset, job.output.bytes)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("the input, {} bytes from byte {} on, and the output, {} bytes from byte {} on, overlap: "
                            "blur into another range",
                            job.input.bytes, job.input.offset, job.output.bytes, job.output.offset));
  }
  return {};
}

}  // namespace

Expected<void> Blur::Plan::create_weights() {
  const BlurWeights made = make_blur_weights(options.radius, sigma);
  return device->create_buffer({sizeof made, MemoryKind::device}).and_then([&](std::unique_ptr<Buffer> buffer) {
    weights = std::move(buffer);
    return upload(*device, *weights, bytes_of(made));
  });
}

Expected<Pipeline*> Blur::Plan::pipeline_of(const PassVariant& variant) {
  auto& pipeline = pipelines[variant.number()];
  if (pipeline) {
    return pipeline.get();
  }
  const auto flag = [](bool value) { return std::uint64_t{value ? 1U : 0U}; };
  return create_kernel_pipeline(*device, kernels[variant.pass], options.wave_size, {},
                                {{CROSSLANE_BLUR_SPEC_RADIUS, options.radius},
                                 {CROSSLANE_BLUR_SPEC_BORDER, static_cast<std::uint64_t>(options.border)},
                                 {CROSSLANE_BLUR_SPEC_PREMULTIPLY, flag(options.premultiply)},
                                 {CROSSLANE_BLUR_SPEC_LINEAR, flag(options.linear_light)},
                                 {CROSSLANE_BLUR_SPEC_FROM_VECTORS, flag(variant.from_vectors)},
                                 {CROSSLANE_BLUR_SPEC_TO_VECTORS, flag(variant.to_vectors)}})
      .map([&](std::unique_ptr<Pipeline> made) {
        pipeline = std::move(made);
        return pipeline.get();
      });
}

Expected<void> Blur::Plan::reserve(std::uint64_t bytes) {
  if (bytes == 0 || (!between.empty() && between.back()->bytes() >= bytes)) {
    return {};
  }
  return device->create_buffer({bytes, MemoryKind::device}).map([&](std::unique_ptr<Buffer> made) {
    between.push_back(std::move(made));
  });
}

Expected<void> Blur::Plan::dispatch(CommandList& list, BlurDispatch part, const BlurJob& job, Buffer& input,
                                    Buffer& output) {
  const bool reads = part.pass == 0;
  const bool writes = part.pass + 1 == kernels.size();
  const DeviceLimits& limits = device->info().limits;
  std::vector<Binding> bindings;
  const auto bind = [&](std::uint32_t slot, Buffer& buffer, const BlurView& view, std::uint32_t& first) {
    for (const std::uint32_t as_vectors : {0U, 1U}) {
      bindings.push_back(
          bind_element(limits, slot + as_vectors, {&buffer, view.offset}, view.bytes, word_bytes, first));
    }
  };
  bind(0, input, job.input, part.params.from.first);
  bind(2, output, job.output, part.params.to.first);
  bindings.push_back({.slot = 4, .buffer = weights.get()});
  if (!between.empty()) {
    bindings.push_back({.slot = 5, .buffer = between.back().get()});
  }
  const BlurShape own = shape_of(options.format);
  std::copy_n(options.border_value.begin(), options.border_value.size(), part.params.border.begin());
  if (own.unorm) {
    std::ranges::transform(part.params.border, part.params.border.begin(), [](float v) { return std::round(v); });
  }
  return (part.after_barrier ? list.barrier() : Expected<void>{})
      .and_then([&] {
        return pipeline_of(
            {part.pass, reads && are_vectors(shape, job.input), writes && are_vectors(shape, job.output)});
      })
      .and_then([&](const Pipeline* pipeline) {
        return list.dispatch(*pipeline, bindings, bytes_of(part.params), part.groups);
      });
}

Expected<void> Blur::Plan::record(CommandList& list, const BlurImage& input, const BlurImage& output,
                                  std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("an image of {} × {} pixels cannot be blurred: it has at least one", width, height));
  }
  if (width >= size_limit || height >= size_limit) {
    return fail(ErrorCode::unsupported,
                fmt::format("images of {} × {} pixels are not supported, only those of less than {} each way", width,
                            height, size_limit));
  }
  BlurJob job;
  BlurWork work;
  auto recorded = check_image(options.format, input, width, "input")
                      .and_then([&] { return check_image(options.format, output, width, "output"); })
                      .and_then([&] {
                        job = {options.format,
                               options.radius,
                               width,
                               height,
                               view_of(options.format, input, width, height),
                               view_of(options.format, output, width, height)};
                        return check_fit(input, job.input, "input");
                      })
                      .and_then([&] { return check_fit(output, job.output, "output"); })
                      .and_then([&] { return check_overlap(input, output, job); })
                      .and_then([&] { return plan_blur(device->info(), job); })
                      .and_then([&](BlurWork planned) {
                        work = std::move(planned);
                        return reserve(work.between_bytes);
                      });
  for (const BlurDispatch& part : work.dispatches) {
    recorded = recorded.and_then([&] { return dispatch(list, part, job, *input.place.buffer, *output.place.buffer); });
  }
  return recorded;
}

Blur::Blur(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Blur::Blur(Blur&&) noexcept = default;
Blur& Blur::operator=(Blur&&) noexcept = default;
Blur::~Blur() = default;

Expected<Blur> Blur::create(Device& device, const BlurOptions& options) {
  auto plan = std::make_unique<Plan>();
  plan->device = &device;
  plan->options = options;
  plan->options.decisions = nullptr;
  plan->sigma = options.sigma.value_or(default_blur_sigma(options.radius));
  plan->shape = shape_of(options.format);
  plan->choice =
      choose_method(device.info(), {"blur", options.method, options.decisions, options.wave_size, ScalarType::f32});
  auto created = check_options(options, plan->sigma)
                     .and_then([&] { return check_method(device.info(), plan->choice.method); })
                     .and_then([&] { return plan->create_weights(); });
  if (created) {
    plan->kernels = blur_kernel_names(options.format, options.radius, plan->choice.method);
  }
  // The pipelines of images that lie well.
  const bool vectors = vector_bytes % plan->shape.thread_bytes() == 0;
  for (std::size_t pass = 0; pass < plan->kernels.size(); ++pass) {
    const PassVariant usual{pass, vectors && pass == 0, vectors && pass + 1 == plan->kernels.size()};
    created = created.and_then([&] { return plan->pipeline_of(usual); }).map([](Pipeline*) {});
  }
  return created.map([&] { return Blur(std::move(plan)); });
}

Expected<void> Blur::record(CommandList& list, const BlurImage& input, const BlurImage& output, std::uint64_t width,
                            std::uint64_t height) {
  return plan_->record(list, input, output, width, height);
}

Method Blur::method() const { return plan_->choice.method; }

const std::string& Blur::method_note() const { return plan_->choice.note; }

std::uint32_t Blur::passes() const { return narrow(plan_->kernels.size()); }

double Blur::sigma() const { return plan_->sigma; }

}  // namespace crosslane
