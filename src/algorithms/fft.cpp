#include "crosslane/fft.hpp"

#include <array>
#include <bit>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "algorithms/fft_factors.hpp"
#include "algorithms/fft_options.hpp"
#include "algorithms/fft_plan.hpp"
#include "algorithms/kernel_pipeline.hpp"
#include "algorithms/method_choice.hpp"
#include "algorithms/range.hpp"

namespace crosslane {
namespace {

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

FftView view_of(const FftArray& array, std::uint64_t points, std::uint64_t count, std::uint64_t element_bytes) {
  FftView view{array.place.offset, array.stride, array.batch_stride, array.row_stride, points, element_bytes};
  view.batch_stride = view.batch_stride == 0 ? points * view.stride : view.batch_stride;
  view.row_stride = view.row_stride == 0 ? count * view.batch_stride : view.row_stride;
  return view;
}

// The same for real numbers, as pairs that are taken for complex ones.
Expected<FftView> pairs_of(const FftArray& array, std::uint64_t size, std::uint64_t count, std::uint64_t pair_bytes) {
  FftView view = view_of(array, size, count, pair_bytes);
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

  [[nodiscard]] std::uint64_t complex_bytes() const { return 2 * size_of(options.type); }
  [[nodiscard]] Expected<void> create_table();
  [[nodiscard]] std::vector<SpecializationConstant> constants_of(const FftPass& pass) const;
  [[nodiscard]] Expected<Pipeline*> pipeline_of(std::size_t number, const FftPass& pass);
  [[nodiscard]] Expected<FftView> view(const FftArray& array, bool is_input, std::uint64_t count) const;
  [[nodiscard]] static Expected<void> check(const FftArray& array, const FftView& view, std::uint64_t count,
                                            std::uint64_t rows, std::string_view what);
  [[nodiscard]] static Expected<void> check_overlap(const FftArray& input, const FftView& from, const FftArray& output,
                                                    const FftView& to, std::uint64_t count, std::uint64_t rows);
  [[nodiscard]] Expected<void> reserve(std::uint64_t bytes);
  [[nodiscard]] Expected<void> record(CommandList& list, const FftArray& input, const FftArray& output,
                                      std::uint64_t count, std::uint64_t rows);
  [[nodiscard]] kernel_interface::FftParams params_of(const FftDispatch& part) const;
  [[nodiscard]] kernel_interface::FftLineParams line_params_of(const FftDispatch& part) const;
  /// The bits of the factor of a pass's results.
  [[nodiscard]] std::uint64_t scale_of(std::size_t pass) const;
  [[nodiscard]] Expected<void> dispatch(CommandList& list, const FftDispatch& part, const FftPass& pass, Buffer& input,
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

std::vector<SpecializationConstant> Fft::Plan::constants_of(const FftPass& pass) const {
  const SpecializationConstant from{CROSSLANE_FFT_FROM, static_cast<std::uint32_t>(pass.from)};
  const SpecializationConstant to{CROSSLANE_FFT_TO, static_cast<std::uint32_t>(pass.to)};
  switch (pass.kernel) {
    case FftKernel::split:
      return {{CROSSLANE_FFT_MERGES, options.inverse ? 1U : 0U}};
    case FftKernel::copy:
      return {from, to};
    case FftKernel::lanes:
      return {{CROSSLANE_FFT_POINTS, pass.line_points},
              {CROSSLANE_FFT_LINE_THREADS, pass.line_threads},
              {CROSSLANE_FFT_RADICES, pass.radices},
              from,
              to};
    case FftKernel::mixed:
      return {{CROSSLANE_FFT_POINTS, pass.line_points},
              {CROSSLANE_FFT_LINE_THREADS, pass.line_threads},
              {CROSSLANE_FFT_BESIDE, pass.beside},
              {CROSSLANE_FFT_ROWS, pass.rows},
              {CROSSLANE_FFT_RADICES, pass.radices},
              from,
              to};
    case FftKernel::powers:
      break;
  }
  std::vector<SpecializationConstant> constants = {{CROSSLANE_FFT_SIZE_BITS, pass.size_bits},
                                                   {CROSSLANE_FFT_BESIDE_BITS, pass.beside_bits},
                                                   {CROSSLANE_FFT_WINDOWED, shape.convolves ? 1U : 0U}};
  if (has_pairs(options.type, pass, choice.method)) {
    constants.push_back({CROSSLANE_FFT_PAIRED, pass.paired ? 1U : 0U});
  }
  if (has_numbers(pass)) {
    constants.insert(constants.end(), {from, to});
  }
  return constants;
}

Expected<Pipeline*> Fft::Plan::pipeline_of(std::size_t number, const FftPass& pass) {
  auto& pipeline = pipelines[{number, pass}];
  if (pipeline) {
    return pipeline.get();
  }
  return create_kernel_pipeline(*device, fft_kernel_name(options.type, pass, choice.method), options.wave_size, {},
                                constants_of(pass))
      .map([&](std::unique_ptr<Pipeline> made) {
        pipeline = std::move(made);
        return pipeline.get();
      });
}

Expected<FftView> Fft::Plan::view(const FftArray& array, bool is_input, std::uint64_t count) const {
  if (!options.real) {
    return view_of(array, options.size, count, options.halves ? complex_bytes() / 2 : complex_bytes());
  }
  if (is_input == options.inverse) {
    return view_of(array, options.size / 2 + 1, count, complex_bytes());
  }
  return has_real_pairs(options) ? pairs_of(array, options.size, count, complex_bytes())
                                 : view_of(array, options.size, count, size_of(options.type));
}

Expected<void> Fft::Plan::check(const FftArray& array, const FftView& view, std::uint64_t count, std::uint64_t rows,
                                std::string_view what) {
  return check_strides(view, count, rows, what).and_then([&] {
    return check_range(*array.place.buffer, view.offset, span_of(view, count, rows), view.element_bytes, what);
  });
}

Expected<void> Fft::Plan::check_overlap(const FftArray& input, const FftView& from, const FftArray& output,
                                        const FftView& to, std::uint64_t count, std::uint64_t rows) {
  const std::uint64_t read = span_of(from, count, rows) * from.element_bytes;
  const std::uint64_t written = span_of(to, count, rows) * to.element_bytes;
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

// Of fft.hlsl and fft_split.hlsl.
kernel_interface::FftParams Fft::Plan::params_of(const FftDispatch& part) const {
  const std::size_t first_pass = shape.first_transforming();
  const std::size_t last_pass = shape.last_transforming();
  const bool begins = part.pass == first_pass;
  const bool ends = part.pass == last_pass;
  // A convolution's second transform is an inverse one, and its factors say the direction of the whole.
  const bool is_between = shape.convolves && part.pass == (first_pass + last_pass) / 2;
  const bool splits = shape.passes[part.pass].kernel == FftKernel::split;
  const std::uint64_t scale = scale_of(part.pass);
  kernel_interface::FftParams params = part.params;
  params.unit_bits = static_cast<std::uint32_t>(std::countr_zero(part.units));
  params.done_bits = static_cast<std::uint32_t>(std::countr_zero(part.done));
  params.swap_from = begins && options.inverse && !shape.convolves ? 1 : 0;
  params.swap_to = (ends && (options.inverse || shape.convolves)) || is_between ? 1 : 0;
  params.scale_low = narrow(scale);
  params.scale_high = narrow(scale >> 32U);
  params.stages = factors.stages[part.pass];
  params.near_factors = factors.near_factors;
  params.far_factors = factors.far_factors;
  params.factor_bits = factors.factor_bits;
  params.from_points = narrow(begins || splits ? shape.size : shape.points);
  params.from_factors = begins ? factors.chirp : CROSSLANE_FFT_NO_FACTORS;
  params.to_points = narrow(ends ? shape.size : shape.points);
  params.to_factors = ends ? factors.chirp : is_between ? factors.spectrum : CROSSLANE_FFT_NO_FACTORS;
  params.factor_shift = params.unit_bits - params.done_bits;
  return params;
}

// Of fft_mixed.hlsl, fft_lanes.hlsl and fft_copy.hlsl.
kernel_interface::FftLineParams Fft::Plan::line_params_of(const FftDispatch& part) const {
  const bool transforms = shape.passes[part.pass].transforms();
  const std::uint64_t scale = scale_of(part.pass);
  kernel_interface::FftLineParams params{};
  params.from = part.params.from;
  params.to = part.params.to;
  params.first_line = part.params.first_line;
  params.end_line = part.params.end_line;
  params.batch = part.params.batch;
  params.points = narrow(shape.size);
  params.units = part.units;
  params.done = part.done;
  params.swap_from = transforms && options.inverse && part.pass == shape.first_transforming() ? 1 : 0;
  params.swap_to = transforms && options.inverse && part.pass == shape.last_transforming() ? 1 : 0;
  params.scale_low = narrow(scale);
  params.scale_high = narrow(scale >> 32U);
  params.roots = factors.stages[part.pass];
  params.near_factors = factors.near_factors;
  params.far_factors = factors.far_factors;
  params.factor_bits = factors.factor_bits;
  params.factor_step = part.units / part.done;
  return params;
}

std::uint64_t Fft::Plan::scale_of(std::size_t pass) const {
  const double factor = pass + 1 == shape.passes.size() ? fft_factor(options) : 1.0;
  return options.type == ScalarType::f64 ? std::bit_cast<std::uint64_t>(factor)
                                         : std::bit_cast<std::uint32_t>(static_cast<float>(factor));
}

Expected<void> Fft::Plan::dispatch(CommandList& list, const FftDispatch& part, const FftPass& pass, Buffer& input,
                                   Buffer& output) {
  const bool is_first = part.pass == 0;
  const bool is_last = part.pass + 1 == shape.passes.size();
  const auto params = params_of(part);
  const auto line_params = line_params_of(part);
  const bool has_lines = pass.kernel != FftKernel::powers && pass.kernel != FftKernel::split;
  Buffer& from = is_first ? input : *scratch.at((part.pass - 1) % 2).back();
  Buffer& to = is_last ? output : *scratch.at(part.pass % 2).back();
  std::vector<Binding> bindings = {Binding{0, &from, part.from.offset, part.from.bytes},
                                   Binding{1, &to, part.to.offset, part.to.bytes}, Binding{2, table.get()}};
  if (has_pairs(options.type, pass, choice.method) || has_numbers(pass)) {
    bindings.push_back({3, &from, part.from.offset, part.from.bytes});
    bindings.push_back({4, &to, part.to.offset, part.to.bytes});
  }
  return (part.after_barrier ? list.barrier() : Expected<void>{})
      .and_then([&] { return pipeline_of(part.pass, pass); })
      .and_then([&](const Pipeline* pipeline) {
        return list.dispatch(*pipeline, bindings, has_lines ? bytes_of(line_params) : bytes_of(params),
                             {part.groups, 1, 1});
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
  Expected<void> created = check_fft_options(options).and_then(
      [&] { return check_fft_device(device.info(), options.type, plan->choice.method); });
  if (created) {
    const std::uint32_t wave_size = options.wave_size.value_or(device.info().wave_sizes.standard);
    const Method method = plan->choice.method;
    plan->shape = plan_fft_shape(options, method, wave_size);
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

double Fft::error_bound() const { return fft_error_bound(plan_->options, plan_->shape.convolves); }

}  // namespace crosslane
