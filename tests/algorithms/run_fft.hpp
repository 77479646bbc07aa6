// Runs Fourier transforms on a device, between guard elements.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "crosslane/fft.hpp"
#include "support/expected.hpp"

namespace crosslane::test {

/// How the numbers of one array lie in its buffer, in elements; strides of 0 as in FftArray.
struct FftLayout {
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t batch_stride = 0;
  std::uint64_t row_stride = 0;
};

struct FftPlaces {
  FftLayout input = {};
  FftLayout output = {};
  bool in_place = false;  ///< the output lies as the input does
  std::uint64_t count = 1;
  std::uint64_t rows = 1;
};

/// One plan and what it needs.
template <typename T>
class Transformer {
 public:
  using Complex = std::complex<T>;

  Transformer(Device& device, FftOptions options) : device_(device), options_(options) {
    options_.type = scalar_type_of<T>;
    plan_ = std::make_unique<Fft>(must(Fft::create(device_, options_)));
  }

  Fft& plan() { return *plan_; }
  [[nodiscard]] const FftOptions& options() const { return options_; }

  /// Transforms `rows` times `count` arrays that follow each other in `values`. In their buffers they lie between guard
  /// elements, which must stay as they are.
  std::vector<Complex> operator()(const std::vector<Complex>& values, const FftPlaces& places = {}) {
    const FftLayout& to = places.in_place ? places.input : places.output;
    const auto read = positions(places.input, places);
    const auto written = positions(to, places);
    std::vector<Complex> inputs(room(read), guard);
    for (std::size_t i = 0; i < values.size(); ++i) {
      inputs[read[i]] = values[i];
    }
    std::vector<Complex> outputs = places.in_place ? inputs : std::vector<Complex>(room(written), guard);
    const auto input = make_buffer(inputs);
    const auto separate = places.in_place ? nullptr : make_buffer(outputs);
    Buffer& output = places.in_place ? *input : *separate;
    const auto list = must(device_.create_command_list());
    must(plan_->record(*list, array(*input, places.input), array(output, to), places.count, places.rows));
    must(run(device_, *list));
    std::vector<Complex> after(outputs.size());
    must(download(device_, output, std::as_writable_bytes(std::span(after))));
    std::vector<Complex> results(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      results[i] = after[written[i]];
      after[written[i]] = guard;
    }
    EXPECT_EQ(std::ranges::count(after, guard), static_cast<std::ptrdiff_t>(after.size())) << "others were overwritten";
    return results;
  }

  static constexpr Complex guard{77, -77};

 private:
  /// Where each number lies.
  [[nodiscard]] std::vector<std::size_t> positions(const FftLayout& layout, const FftPlaces& places) const {
    const std::uint64_t batch_stride = layout.batch_stride == 0 ? options_.size * layout.stride : layout.batch_stride;
    const std::uint64_t row_stride = layout.row_stride == 0 ? places.count * batch_stride : layout.row_stride;
    std::vector<std::size_t> all;
    for (std::uint64_t row = 0; row < places.rows; ++row) {
      for (std::uint64_t transform = 0; transform < places.count; ++transform) {
        for (std::uint64_t point = 0; point < options_.size; ++point) {
          all.push_back(layout.first + point * layout.stride + transform * batch_stride + row * row_stride);
        }
      }
    }
    return all;
  }

  static std::size_t room(const std::vector<std::size_t>& positions) {
    constexpr std::size_t guards = 5;
    return (positions.empty() ? 0 : *std::ranges::max_element(positions)) + guards;
  }

  static FftArray array(Buffer& buffer, const FftLayout& layout) {
    return {{&buffer, layout.first * sizeof(Complex)}, layout.stride, layout.batch_stride, layout.row_stride};
  }

  std::unique_ptr<Buffer> make_buffer(const std::vector<Complex>& content) {
    auto buffer = must(device_.create_buffer({content.size() * sizeof(Complex), MemoryKind::device}));
    must(upload(device_, *buffer, std::as_bytes(std::span(content))));
    return buffer;
  }

  Device& device_;
  FftOptions options_;
  std::unique_ptr<Fft> plan_;
};

}  // namespace crosslane::test
