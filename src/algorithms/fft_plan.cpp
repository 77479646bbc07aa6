#include "algorithms/fft_plan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algorithms/range.hpp"
#include "base/rounding.hpp"

namespace crosslane {
namespace {

// Memory between passes is no more than this where several transforms share it.
constexpr std::uint64_t largest_scratch = std::uint64_t{1} << 28U;

// Lines are counted in 32 bits.
constexpr std::uint64_t most_lines = std::uint64_t{1} << 31U;

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
      : limits_(limits), shape_(shape), passes_(shape.passes), complex_bytes_(2 * size_of(type)) {}

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
    return passes_.size() > 1 ? part.rows * part.count * complex_bytes_ * shape_.points : 0;
  }
  [[nodiscard]] static std::uint64_t bytes_of_span(const FftView& view, const Part& part) {
    return span_of(view, part.count, part.rows) * view.element_bytes;
  }

  [[nodiscard]] bool fits(const Part& part) const {
    const std::uint64_t transforms = part.rows * part.count;
    std::uint64_t most_scratch = binding_capacity(limits_);
    if (transforms > 1) {
      most_scratch = std::min(most_scratch, largest_scratch);
    }
    return bind(part.input, part).bytes <= binding_capacity(limits_) &&
           bind(part.output, part).bytes <= binding_capacity(limits_) && scratch_bytes(part) <= most_scratch &&
           transforms <= most_lines / most_units();
  }

  // What a pass counts of one transform: lines, or points or pairs of them.
  [[nodiscard]] std::uint64_t units_of(const FftPass& pass) const {
    switch (pass.kernel) {
      case FftKernel::split:
        return shape_.size / 2 + 1;
      case FftKernel::copy:
        return shape_.size;
      default:
        return shape_.points / pass.length();
    }
  }

  [[nodiscard]] std::uint64_t most_units() const {
    std::uint64_t most = 1;
    for (const FftPass& pass : passes_) {
      most = std::max(most, units_of(pass));
    }
    return most;
  }

  Expected<void> add_both(const Part& part, Extent first, std::uint64_t input_elements, std::uint64_t output_elements,
                          Extent second) {
    Part begin = part;
    begin.count = first.count;
    begin.rows = first.rows;
    Part end = part;
    end.count = second.count;
    end.rows = second.rows;
    end.input.offset += input_elements * end.input.element_bytes;
    end.output.offset += output_elements * end.output.element_bytes;
    return add(begin).and_then([&] { return add(end); });
  }

  // What to bind of an array of the caller's: a little before it too, where bindings begin only at certain places.
  [[nodiscard]] FftBinding bind(const FftView& view, const Part& part) const {
    const std::uint64_t base = round_down(view.offset, binding_step(limits_));
    return {base, view.offset - base + bytes_of_span(view, part)};
  }

  [[nodiscard]] kernel_interface::FftArray array(const FftView& view) const {
    return {narrow(view.offset % binding_step(limits_) / view.element_bytes), narrow(view.stride),
            narrow(view.batch_stride), narrow(view.row_stride)};
  }

  void add_passes(const Part& part) {
    const FftView scratch{0, 1, shape_.points, part.count * shape_.points, shape_.points, complex_bytes_};
    const FftBinding all_scratch{0, scratch_bytes(part)};
    work_.scratch_bytes = std::max(work_.scratch_bytes, all_scratch.bytes);
    std::uint64_t done = 1;
    for (std::size_t number = 0; number < passes_.size(); ++number) {
      const FftPass& pass = passes_[number];
      const bool is_first = number == 0;
      const bool is_last = number + 1 == passes_.size();
      FftDispatch dispatch;
      dispatch.pass = number;
      dispatch.after_barrier = passes_.size() > 1;
      dispatch.from = is_first ? bind(part.input, part) : all_scratch;
      dispatch.to = is_last ? bind(part.output, part) : all_scratch;
      dispatch.units = narrow(units_of(pass));
      dispatch.params.from = array(is_first ? part.input : scratch);
      dispatch.params.to = array(is_last ? part.output : scratch);
      dispatch.params.batch = part.rows == 1 ? 0 : narrow(part.count);
      if (pass.transforms()) {
        dispatch.done = narrow(done);
        done = done * pass.length() == shape_.points ? 1 : done * pass.length();
      }
      add_dispatches(dispatch, part.rows * part.count * dispatch.units);
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
  std::uint64_t complex_bytes_;
  FftWork work_;
};

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
    pass = for_columns(type, pass);
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
