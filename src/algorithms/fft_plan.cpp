#include "algorithms/fft_plan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

// Points per thread by log2 of the size: what there is to tune. Doubles take fewer, since each has two registers.
constexpr std::array<std::uint32_t, one_pass_fft_bits(ScalarType::f32) + 1> points_f32 = {2,  2,  2,  4,  4,  8, 8,
                                                                                          16, 16, 16, 16, 16, 16};
constexpr std::array<std::uint32_t, one_pass_fft_bits(ScalarType::f64) + 1> points_f64 = {2, 2, 2, 2, 4, 8,
                                                                                          8, 8, 8, 8, 8, 8};

// log2 of the largest transforms whose points are read two at a time. Larger ones have threads enough to read whole
// cache lines.
constexpr std::uint32_t most_paired_bits = 6;

// The kernels of kernels/fft/CMakeLists.txt: threads per group for those with the most points per thread, and for each
// of the others.
constexpr std::array<std::uint32_t, 3> threads_of_most_points = {64, 128, 256};
constexpr std::uint32_t threads_of_four_floats = 128;
constexpr std::uint32_t threads_of_others = 256;

// log2 of the points of a pass where there are several: four lines fill a group then.
constexpr std::uint32_t line_bits = 10;

// log2 of the lines beside each other: 32 bytes of floats in a row where the other side has its points in a row, and
// 128 bytes where both have lines.
constexpr std::uint32_t beside_bits_of_first = 2;
constexpr std::uint32_t beside_bits_of_others = 4;

// Memory between passes is no more than this where several transforms share it.
constexpr std::uint64_t largest_scratch = std::uint64_t{1} << 28U;

// Lines are counted in 32 bits.
constexpr std::uint64_t most_lines = std::uint64_t{1} << 31U;

std::uint32_t log2_of(std::uint32_t power_of_two) { return static_cast<std::uint32_t>(std::countr_zero(power_of_two)); }

std::uint64_t element_bytes(ScalarType type) { return 2 * size_of(type); }

std::uint32_t most_points(ScalarType type) { return type == ScalarType::f64 ? 8 : 16; }

std::uint32_t points_for(ScalarType type, std::uint32_t size_bits, Method method, std::uint32_t wave_size) {
  const std::uint32_t size = 1U << size_bits;
  const std::uint32_t usual = type == ScalarType::f64 ? points_f64.at(size_bits) : points_f32.at(size_bits);
  if (method != Method::shuffle) {
    return std::min(usual, std::max(2U, size / 4));  // four threads read 32 bytes in a row
  }
  // More points where that makes a transform fit a wave, so that nothing goes through groupshared memory.
  std::uint32_t points = usual;
  while (size / points > wave_size && points < most_points(type)) {
    points *= 2;
  }
  return size / points <= wave_size ? points : usual;
}

// As few threads as hold one transform, or as many as there are where others shall lie beside it.
std::uint32_t threads_for(ScalarType type, const FftPass& pass, bool beside) {
  if (pass.points != most_points(type)) {
    return type == ScalarType::f32 && pass.points == 4 ? threads_of_four_floats : threads_of_others;
  }
  for (const std::uint32_t threads : threads_of_most_points) {
    if (!beside && threads >= (1U << pass.size_bits) / pass.points) {
      return threads;
    }
  }
  return threads_of_most_points.back();
}

// Work that shares bindings, and scratch memory.
struct Part {
  FftView input;
  FftView output;
  std::uint64_t count = 1;
  std::uint64_t rows = 1;
};

class Planner {
 public:
  Planner(const DeviceLimits& limits, ScalarType type, const FftShape& shape)
      : limits_(limits), shape_(shape), passes_(shape.passes), element_bytes_(element_bytes(type)) {}

  Expected<void> add(const Part& part) {
    if (fits(part)) {
      add_passes(part);
      return {};
    }
    if (part.rows > 1) {
      const std::uint64_t first = part.rows / 2;
      return add_both(part, {part.count, first}, first * part.input.row_stride, first * part.output.row_stride,
                      {part.count, part.rows - first});
    }
    if (part.count > 1) {
      const std::uint64_t first = part.count / 2;
      return add_both(part, {first, 1}, first * part.input.batch_stride, first * part.output.batch_stride,
                      {part.count - first, 1});
    }
    const std::uint64_t bytes =
        std::max({bytes_of_span(part.input, part), bytes_of_span(part.output, part), scratch_bytes(part)});
    return fail(ErrorCode::unsupported,
                fmt::format("one transform of {} points takes {} bytes at a time, and this device shows {}: use "
                            "smaller strides or sizes, or another device",
                            shape_.size, bytes, binding_capacity(limits_)));
  }

  FftWork take() { return std::move(work_); }

 private:
  struct Extent {
    std::uint64_t count;
    std::uint64_t rows;
  };

  [[nodiscard]] std::uint64_t scratch_bytes(const Part& part) const {
    return passes_.size() > 1 ? (part.rows * part.count * element_bytes_) << shape_.size_bits : 0;
  }
  [[nodiscard]] std::uint64_t bytes_of_span(const FftView& view, const Part& part) const {
    return span_of(view, part.count, part.rows) * element_bytes_;
  }

  [[nodiscard]] bool fits(const Part& part) const {
    const std::uint64_t transforms = part.rows * part.count;
    std::uint64_t most_scratch = binding_capacity(limits_);
    if (transforms > 1) {
      most_scratch = std::min(most_scratch, largest_scratch);
    }
    return bind(part.input, part).bytes <= binding_capacity(limits_) &&
           bind(part.output, part).bytes <= binding_capacity(limits_) && scratch_bytes(part) <= most_scratch &&
           transforms <= most_lines >> (shape_.size_bits - smallest_pass_bits());
  }

  [[nodiscard]] std::uint32_t smallest_pass_bits() const {
    std::uint32_t smallest = shape_.size_bits;
    for (const FftPass& pass : passes_) {
      smallest = pass.splits ? smallest : std::min(smallest, pass.size_bits);
    }
    return smallest;
  }

  Expected<void> add_both(const Part& part, Extent first, std::uint64_t input_elements, std::uint64_t output_elements,
                          Extent second) {
    Part begin = part;
    begin.count = first.count;
    begin.rows = first.rows;
    Part end = part;
    end.count = second.count;
    end.rows = second.rows;
    end.input.offset += input_elements * element_bytes_;
    end.output.offset += output_elements * element_bytes_;
    return add(begin).and_then([&] { return add(end); });
  }

  // What to bind of an array of the caller's: a little before it too, where bindings begin only at certain places.
  [[nodiscard]] FftBinding bind(const FftView& view, const Part& part) const {
    const std::uint64_t base = round_down(view.offset, binding_step(limits_));
    return {base, view.offset - base + bytes_of_span(view, part)};
  }

  [[nodiscard]] kernel_interface::FftArray array(const FftView& view) const {
    return {narrow(view.offset % binding_step(limits_) / element_bytes_), narrow(view.stride),
            narrow(view.batch_stride), narrow(view.row_stride)};
  }

  void add_passes(const Part& part) {
    const std::uint64_t scratch_stride = std::uint64_t{1} << shape_.size_bits;
    const FftView scratch{0, 1, scratch_stride, part.count * scratch_stride, scratch_stride};
    const FftBinding all_scratch{0, scratch_bytes(part)};
    work_.scratch_bytes = std::max(work_.scratch_bytes, all_scratch.bytes);
    std::uint32_t done_bits = 0;
    for (std::size_t pass = 0; pass < passes_.size(); ++pass) {
      const bool is_first = pass == 0;
      const bool is_last = pass + 1 == passes_.size();
      FftDispatch dispatch;
      dispatch.pass = pass;
      dispatch.after_barrier = passes_.size() > 1;
      dispatch.from = is_first ? bind(part.input, part) : all_scratch;
      dispatch.to = is_last ? bind(part.output, part) : all_scratch;
      dispatch.params.from = array(is_first ? part.input : scratch);
      dispatch.params.to = array(is_last ? part.output : scratch);
      dispatch.params.batch = part.rows == 1 ? 0 : narrow(part.count);
      if (passes_[pass].splits) {
        add_dispatches(dispatch, part.rows * part.count * (shape_.size / 2 + 1));
        continue;
      }
      dispatch.params.unit_bits = shape_.size_bits - passes_[pass].size_bits;
      dispatch.params.done_bits = done_bits;
      add_dispatches(dispatch, (part.rows * part.count) << dispatch.params.unit_bits);
      done_bits = (done_bits + passes_[pass].size_bits) % std::max(1U, shape_.size_bits);
    }
  }

  void add_dispatches(FftDispatch dispatch, std::uint64_t lines) {
    const std::uint64_t per_group = lines_per_group(passes_[dispatch.pass]);
    const std::uint64_t most = limits_.groups[0] * per_group;
    for (std::uint64_t first = 0; first < lines; first += most) {
      const std::uint64_t end = std::min(lines, first + most);
      dispatch.params.first_line = narrow(first);
      dispatch.params.end_line = narrow(end);
      dispatch.groups = narrow(divide_up(end - first, per_group));
      work_.dispatches.push_back(dispatch);
      dispatch.after_barrier = false;  // parts of one pass do not meet
    }
  }

  const DeviceLimits& limits_;
  const FftShape& shape_;
  const std::vector<FftPass>& passes_;
  std::uint64_t element_bytes_;
  FftWork work_;
};

}  // namespace

std::uint32_t lines_per_group(const FftPass& pass) {
  if (pass.splits) {
    return CROSSLANE_FFT_THREADS;
  }
  return pass.threads / std::max(1U, (1U << pass.size_bits) / pass.points);
}

namespace {

std::vector<FftPass> plan_passes(ScalarType type, std::uint32_t size_bits, Method method, std::uint32_t wave_size) {
  const bool several = size_bits > one_pass_fft_bits(type);
  const std::uint32_t count = several ? narrow(divide_up(size_bits, line_bits)) : 1;
  std::vector<FftPass> passes;
  for (std::uint32_t left = count; left > 0; --left) {
    FftPass pass;
    pass.size_bits = narrow(divide_up(size_bits, left));
    pass.points = points_for(type, pass.size_bits, method, wave_size);
    pass.threads = threads_for(type, pass, several);
    if (several) {
      const std::uint32_t wanted = passes.empty() ? beside_bits_of_first : beside_bits_of_others;
      pass.beside_bits = std::min(wanted, log2_of(lines_per_group(pass)));
    }
    passes.push_back(pass);
    size_bits -= pass.size_bits;
  }
  return passes;
}

}  // namespace

bool has_pairs(ScalarType type, const FftPass& pass, Method method) {
  return type == ScalarType::f32 && method == Method::shuffle && !pass.splits && pass.points < most_points(type);
}

FftShape plan_fft_shape(ScalarType type, std::uint64_t size, Method method, std::uint32_t wave_size) {
  FftShape shape;
  shape.size = size;
  shape.convolves = !std::has_single_bit(size);
  const std::uint64_t transformed = shape.convolves ? std::bit_ceil(2 * size - 1) : size;
  shape.size_bits = static_cast<std::uint32_t>(std::countr_zero(transformed));
  shape.passes = plan_passes(type, shape.size_bits, method, wave_size);
  if (shape.convolves) {
    const std::vector<FftPass> back = shape.passes;
    shape.passes.insert(shape.passes.end(), back.begin(), back.end());
  }
  FftPass& first = shape.passes.front();
  const bool has_neighbours = wave_size > 1 || size <= first.points;
  first.paired = shape.passes.size() == 1 && has_pairs(type, first, method) && has_neighbours && size > 1 &&
                 shape.size_bits <= most_paired_bits;
  return shape;
}

FftShape plan_real_fft_shape(ScalarType type, std::uint64_t size, bool inverse, Method method,
                             std::uint32_t wave_size) {
  FftShape shape = plan_fft_shape(type, size, method, wave_size);
  shape.passes.front().paired = false;  // what is before or behind it has no pairs
  FftPass split;
  split.splits = true;
  shape.passes.insert(inverse ? shape.passes.begin() : shape.passes.end(), split);
  return shape;
}

std::string fft_kernel_name(ScalarType type, const FftPass& pass, Method method) {
  if (pass.splits) {
    return fmt::format("fft_split.{}", name(type));
  }
  return fmt::format("fft.{}.{}x{}.{}", name(type), pass.points, pass.threads, name(method));
}

namespace {

// 16-byte vectors of two points each.
bool is_in_pairs(const FftView& view) {
  return view.offset % 16 == 0 && view.stride == 1 && view.batch_stride % 2 == 0 && view.row_stride % 2 == 0;
}

}  // namespace

FftShape for_arrays(ScalarType type, FftShape shape, const FftView& from, const FftView& to) {
  if (shape.passes.size() > 1) {
    return shape;
  }
  FftPass& pass = shape.passes.front();
  pass.paired = pass.paired && is_in_pairs(from) && is_in_pairs(to);
  if (from.stride != 1 && from.batch_stride == 1) {
    pass.threads = threads_for(type, pass, true);
    pass.beside_bits = std::min(beside_bits_of_others, log2_of(lines_per_group(pass)));
  }
  return shape;
}

std::uint64_t span_of(const FftView& view, std::uint64_t count, std::uint64_t rows) {
  return (view.points - 1) * view.stride + (count - 1) * view.batch_stride + (rows - 1) * view.row_stride + 1;
}

Expected<FftWork> plan_fft(const DeviceLimits& limits, ScalarType type, const FftShape& shape, const FftView& input,
                           const FftView& output, std::uint64_t count, std::uint64_t rows) {
  Planner planner(limits, type, shape);
  return planner.add({input, output, count, rows}).map([&] { return planner.take(); });
}

}  // namespace crosslane
