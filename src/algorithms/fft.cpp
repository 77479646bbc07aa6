#include "crosslane/fft.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "algorithms/fft_factors.hpp"
#include "algorithms/fft_plan.hpp"
#include "algorithms/kernel_pipeline.hpp"
#include "algorithms/method_choice.hpp"
#include "algorithms/range.hpp"

namespace crosslane {
namespace {

Expected<void> check_options(const FftOptions& options) {
  if (options.size == 0) {
    return fail(ErrorCode::invalid_argument, "a Fourier transform has at least one point, not 0");
  }
  if (!is_float(options.type)) {
    return fail(ErrorCode::invalid_argument, fmt::format("Fourier transforms are of complex numbers with parts of type "
                                                         "f32 or f64, not {}",
                                                         name(options.type)));
  }
  if (options.real && options.size % 2 != 0) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("Fourier transforms of {} real numbers are not supported, only of an even number: give them "
                    "as complex numbers",
                    options.size));
  }
  const std::uint64_t largest = std::uint64_t{options.real ? 2U : 1U} << largest_fft_bits;
  if (options.size > (std::has_single_bit(options.size) ? largest : largest / 2)) {
    return fail(ErrorCode::unsupported,
                fmt::format("Fourier transforms of {} points are not supported, only of powers of two up to {} and of "
                            "others up to {}: cut the array",
                            options.size, largest, largest / 2));
  }
  return {};
}

Expected<void> check_device(const DeviceInfo& device, ScalarType type, Method method) {
  if (method == Method::wave_intrinsics) {
    return fail(ErrorCode::unsupported,
                "HLSL's wave intrinsics reduce and scan, and a Fourier transform exchanges values between lanes: use "
                "method shuffle or groupshared");
  }
  if (type == ScalarType::f64 && !device.features.float64) {
    return fail(ErrorCode::unsupported, fmt::format("{} ({}) has no 64-bit floats", device.id, device.name));
  }
  return check_types(device, ScalarType::f32, Operator::sum, method);
}

double factor_of(const FftOptions& options) {
  const auto size = static_cast<double>(options.size);
  if (options.scaling == FftScaling::ortho) {
    return 1 / std::sqrt(size);
  }
  return (options.scaling == FftScaling::forward) != options.inverse ? 1 / size : 1.0;
}

// The table as the device reads it.
template <typename T>
std::vector<std::complex<T>> rounded(const std::vector<std::complex<double>>& values) {
  return {values.begin(), values.end()};
}

Expected<std::unique_ptr<Buffer>> upload_table(Device& device, std::span<const std::byte> bytes) {
  // A buffer has at least one element, also where nothing is looked up.
  constexpr std::uint64_t one_element = 16;
  return device.create_buffer({std::max<std::uint64_t>(bytes.size(), one_element), MemoryKind::device})
      .and_then([&](std::unique_ptr<Buffer> buffer) {
        return upload(device, *buffer, bytes).map([&] { return std::move(buffer); });
      });
}

FftView view_of(const FftArray& array, std::uint64_t points, std::uint64_t count) {
  FftView view{array.place.offset, array.stride, array.batch_stride, array.row_stride, points};
  view.batch_stride = view.batch_stride == 0 ? points * view.stride : view.batch_stride;
  view.row_stride = view.row_stride == 0 ? count * view.batch_stride : view.row_stride;
  return view;
}

// The same for real numbers, as pairs that are taken for complex ones.
Expected<FftView> pairs_of(const FftArray& array, std::uint64_t size, std::uint64_t count) {
  FftView view = view_of(array, size, count);
  if (view.stride != 1 || view.batch_stride % 2 != 0 || view.row_stride % 2 != 0) {
    return fail(ErrorCode::unsupported,
                fmt::format("real numbers with strides of {}, {} and {}: the first has to be 1, the others even",
                            view.stride, view.batch_stride, view.row_stride));
  }
  view.batch_stride /= 2;
  view.row_stride /= 2;
  view.points /= 2;
  return view;
}

Expected<void> check_strides(const FftView& view, std::uint64_t count, std::uint64_t rows, std::string_view what) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (view.stride == 0 || view.stride > most || (count > 1 && view.batch_stride > most) ||
      (rows > 1 && view.row_stride > most)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("strides of {}, {} and {} elements in the {}: each has to be from 1 to {}", view.stride,
                            view.batch_stride, view.row_stride, what, most));
  }
  return {};
}

}  // namespace

struct Fft::Plan {
  Device* device = nullptr;
  FftOptions options;
  MethodChoice choice;
  FftShape shape;
  FftFactors factors;
  std::unique_ptr<Buffer> table;
  /// Of passes by their numbers: some arrays take others, made when first needed.
  std::map<std::pair<std::size_t, FftPass>, std::unique_ptr<Pipeline>> pipelines;
  /// Between passes. Lists recorded earlier still use the smaller ones that larger ones have replaced.
  std::array<std::vector<std::unique_ptr<Buffer>>, 2> scratch;

  [[nodiscard]] std::uint64_t element_bytes() const { return 2 * size_of(options.type); }
  [[nodiscard]] Expected<void> create_table();
  [[nodiscard]] Expected<Pipeline*> pipeline_of(std::size_t number, const FftPass& pass);
  [[nodiscard]] Expected<FftView> view(const FftArray& array, bool is_input, std::uint64_t count) const;
  [[nodiscard]] Expected<void> check(const FftArray& array, const FftView& view, std::uint64_t count,
                                     std::uint64_t rows, std::string_view what) const;
  [[nodiscard]] Expected<void> check_overlap(const FftArray& input, const FftView& from, const FftArray& output,
                                             const FftView& to, std::uint64_t count, std::uint64_t rows) const;
  [[nodiscard]] Expected<void> reserve(std::uint64_t bytes);
  [[nodiscard]] Expected<void> record(CommandList& list, const FftArray& input, const FftArray& output,
                                      std::uint64_t count, std::uint64_t rows);
  [[nodiscard]] Expected<void> dispatch(CommandList& list, FftDispatch part, const FftPass& pass, Buffer& input,
                                        Buffer& output);
};

Expected<void> Fft::Plan::create_table() {
  factors = make_fft_factors(shape, options.inverse);
  const auto keep = [&](std::unique_ptr<Buffer> made) { table = std::move(made); };
  if (options.type == ScalarType::f64) {
    return upload_table(*device, std::as_bytes(std::span(factors.table))).map(keep);
  }
  const auto floats = rounded<float>(factors.table);
  return upload_table(*device, std::as_bytes(std::span(floats))).map(keep);
}

Expected<Pipeline*> Fft::Plan::pipeline_of(std::size_t number, const FftPass& pass) {
  auto& pipeline = pipelines[{number, pass}];
  if (pipeline) {
    return pipeline.get();
  }
  std::vector<SpecializationConstant> constants = {{CROSSLANE_FFT_SIZE_BITS, pass.size_bits},
                                                   {CROSSLANE_FFT_BESIDE_BITS, pass.beside_bits},
                                                   {CROSSLANE_FFT_WINDOWED, shape.convolves ? 1U : 0U}};
  if (has_pairs(options.type, pass, choice.method)) {
    constants.push_back({CROSSLANE_FFT_PAIRED, pass.paired ? 1U : 0U});
  }
  if (pass.splits) {
    constants = {{CROSSLANE_FFT_MERGES, options.inverse ? 1U : 0U}};
  }
  return create_kernel_pipeline(*device, fft_kernel_name(options.type, pass, choice.method), options.wave_size, {},
                                std::move(constants))
      .map([&](std::unique_ptr<Pipeline> made) {
        pipeline = std::move(made);
        return pipeline.get();
      });
}

Expected<FftView> Fft::Plan::view(const FftArray& array, bool is_input, std::uint64_t count) const {
  if (!options.real) {
    return view_of(array, options.size, count);
  }
  return is_input == options.inverse ? view_of(array, options.size / 2 + 1, count)
                                     : pairs_of(array, options.size, count);
}

Expected<void> Fft::Plan::check(const FftArray& array, const FftView& view, std::uint64_t count, std::uint64_t rows,
                                std::string_view what) const {
  return check_strides(view, count, rows, what).and_then([&] {
    return check_range(*array.place.buffer, view.offset, span_of(view, count, rows), element_bytes(), what);
  });
}

Expected<void> Fft::Plan::check_overlap(const FftArray& input, const FftView& from, const FftArray& output,
                                        const FftView& to, std::uint64_t count, std::uint64_t rows) const {
  const std::uint64_t read = span_of(from, count, rows) * element_bytes();
  const std::uint64_t written = span_of(to, count, rows) * element_bytes();
  if (input.place.buffer == output.place.buffer && from != to && overlaps(from.offset, read, to.offset, written)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("the input, {} bytes from byte {} on, and the output, {} bytes from byte {} on, overlap: "
                            "transform in place with the same strides, or into another range",
                            read, from.offset, written, to.offset));
  }
  return {};
}

Expected<void> Fft::Plan::reserve(std::uint64_t bytes) {
  const std::size_t needed = std::min(shape.passes.size() - 1, scratch.size());
  for (std::size_t i = 0; i < needed; ++i) {
    auto& buffers = scratch.at(i);
    if (buffers.empty() || buffers.back()->bytes() < bytes) {
      auto created = device->create_buffer({bytes, MemoryKind::device});
      if (!created) {
        return tl::unexpected(std::move(created.error()));
      }
      buffers.push_back(std::move(*created));
    }
  }
  return {};
}

Expected<void> Fft::Plan::dispatch(CommandList& list, FftDispatch part, const FftPass& pass, Buffer& input,
                                   Buffer& output) {
  const bool is_first = part.pass == 0;
  const bool is_last = part.pass + 1 == shape.passes.size();
  const double factor = is_last ? factor_of(options) : 1.0;
  const auto bits = options.type == ScalarType::f64 ? std::bit_cast<std::uint64_t>(factor)
                                                    : std::bit_cast<std::uint32_t>(static_cast<float>(factor));
  const std::size_t first_pass = shape.first_transforming();
  const std::size_t last_pass = shape.last_transforming();
  const bool begins = part.pass == first_pass;
  const bool ends = part.pass == last_pass;
  // A convolution's second transform is an inverse one, and its factors say the direction of the whole.
  const bool is_between = shape.convolves && part.pass == (first_pass + last_pass) / 2;
  part.params.swap_from = begins && options.inverse && !shape.convolves ? 1 : 0;
  part.params.swap_to = (ends && (options.inverse || shape.convolves)) || is_between ? 1 : 0;
  part.params.scale_low = narrow(bits);
  part.params.scale_high = narrow(bits >> 32U);
  part.params.stages = factors.stages[part.pass];
  part.params.near_factors = factors.near_factors;
  part.params.far_factors = factors.far_factors;
  part.params.factor_bits = factors.factor_bits;
  const std::uint64_t transformed = std::uint64_t{1} << shape.size_bits;
  const bool splits = shape.passes[part.pass].splits;
  part.params.from_points = narrow(begins || splits ? shape.size : transformed);
  part.params.from_factors = begins ? factors.chirp : CROSSLANE_FFT_NO_FACTORS;
  part.params.to_points = narrow(ends ? shape.size : transformed);
  part.params.to_factors = ends ? factors.chirp : is_between ? factors.spectrum : CROSSLANE_FFT_NO_FACTORS;
  part.params.factor_shift = part.params.unit_bits - part.params.done_bits;
  Buffer& from = is_first ? input : *scratch.at((part.pass - 1) % 2).back();
  Buffer& to = is_last ? output : *scratch.at(part.pass % 2).back();
  std::vector<Binding> bindings = {Binding{0, &from, part.from.offset, part.from.bytes},
                                   Binding{1, &to, part.to.offset, part.to.bytes}, Binding{2, table.get()}};
  if (has_pairs(options.type, pass, choice.method)) {
    bindings.push_back({3, &from, part.from.offset, part.from.bytes});
    bindings.push_back({4, &to, part.to.offset, part.to.bytes});
  }
  return (part.after_barrier ? list.barrier() : Expected<void>{})
      .and_then([&] { return pipeline_of(part.pass, pass); })
      .and_then([&](const Pipeline* pipeline) {
        return list.dispatch(*pipeline, bindings, bytes_of(part.params), {part.groups, 1, 1});
      });
}

Expected<void> Fft::Plan::record(CommandList& list, const FftArray& input, const FftArray& output, std::uint64_t count,
                                 std::uint64_t rows) {
  if (count == 0 || rows == 0) {
    return {};
  }
  const Expected<FftView> read = view(input, true, count);
  const Expected<FftView> written = view(output, false, count);
  if (!read || !written) {
    return tl::unexpected(read ? written.error() : read.error());
  }
  const FftView& from = *read;
  const FftView& to = *written;
  const FftShape taken = for_arrays(options.type, shape, from, to);
  FftWork work;
  auto recorded =
      check(input, from, count, rows, "input")
          .and_then([&] { return check(output, to, count, rows, "output"); })
          .and_then([&] { return check_overlap(input, from, output, to, count, rows); })
          .and_then([&] { return plan_fft(device->info().limits, options.type, taken, from, to, count, rows); })
          .map([&](FftWork planned) { work = std::move(planned); })
          .and_then([&] { return reserve(work.scratch_bytes); });
  for (const FftDispatch& part : work.dispatches) {
    recorded = recorded.and_then(
        [&] { return dispatch(list, part, taken.passes[part.pass], *input.place.buffer, *output.place.buffer); });
  }
  return recorded;
}

Fft::Fft(std::unique_ptr<Plan> plan) : plan_(std::move(plan)) {}
Fft::Fft(Fft&&) noexcept = default;
Fft& Fft::operator=(Fft&&) noexcept = default;
Fft::~Fft() = default;

Expected<Fft> Fft::create(Device& device, const FftOptions& options) {
  auto plan = std::make_unique<Plan>();
  plan->device = &device;
  plan->options = options;
  plan->options.decisions = nullptr;
  plan->choice =
      choose_method(device.info(), {"fft", options.method, options.decisions, options.wave_size, ScalarType::f32});
  Expected<void> created =
      check_options(options).and_then([&] { return check_device(device.info(), options.type, plan->choice.method); });
  if (created) {
    const std::uint32_t wave_size = options.wave_size.value_or(device.info().wave_sizes.standard);
    const Method method = plan->choice.method;
    plan->shape = options.real ? plan_real_fft_shape(options.type, options.size / 2, options.inverse, method, wave_size)
                               : plan_fft_shape(options.type, options.size, method, wave_size);
    created = plan->create_table();
  }
  for (std::size_t pass = 0; pass < plan->shape.passes.size(); ++pass) {
    created = created.and_then([&] { return plan->pipeline_of(pass, plan->shape.passes[pass]); }).map([](Pipeline*) {});
  }
  return created.map([&] { return Fft(std::move(plan)); });
}

Expected<void> Fft::record(CommandList& list, const FftArray& input, const FftArray& output, std::uint64_t count,
                           std::uint64_t rows) {
  return plan_->record(list, input, output, count, rows);
}

Method Fft::method() const { return plan_->choice.method; }

const std::string& Fft::method_note() const { return plan_->choice.note; }

std::uint32_t Fft::passes() const { return narrow(plan_->shape.passes.size()); }

double Fft::error_bound() const {
  const FftOptions& options = plan_->options;
  const double epsilon =
      options.type == ScalarType::f64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  const std::uint64_t counted = std::has_single_bit(options.size) ? options.size : 4 * options.size;
  double factor = 0.6 * std::log2(static_cast<double>(counted));
  factor += options.scaling == FftScaling::ortho ? 1 : 0;
  factor += options.real ? 1 : 0;
  return factor * epsilon;
}

}  // namespace crosslane
