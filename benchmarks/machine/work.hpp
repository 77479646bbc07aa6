// Work that the benchmarks do on a device, again and again.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "crosslane/reduction.hpp"
#include "kernels/kernel.hpp"
#include "measure/hash_fill.hpp"
#include "measure/timing.hpp"

namespace benchmark {

using crosslane::Buffer;
using crosslane::Device;
using crosslane::Method;

template <typename T>
T value_or_exit(crosslane::Expected<T> expected) {
  if (!expected) {
    std::cerr << "benchmark: " << expected.error().message << '\n';
    for (const auto& reason : expected.error().reasons) {
      std::cerr << "  " << reason << '\n';
    }
    std::exit(3);
  }
  if constexpr (!std::is_void_v<T>) {
    return std::move(*expected);
  }
}

// Work on one device that can be done again and again.
class Work {
 public:
  virtual ~Work() = default;
  virtual crosslane::Expected<void> record(crosslane::CommandList& list) = 0;
  virtual std::vector<std::uint32_t> result() = 0;

  explicit Work(Device& device) : device_(device) {}
  double run_ms() {
    return value_or_exit(crosslane::measure::time_on_device(device_, [this](auto& list) { return record(list); },
                                                            {.warm_up = 0, .least_runs = 1, .most_runs = 1}))
        .median_ms;
  }
  [[nodiscard]] Device& device() const { return device_; }

 private:
  Device& device_;
};

class Sum final : public Work {
 public:
  Sum(Device& device, Method method, std::uint64_t count) : Work(device), count_(count) {
    input_ = value_or_exit(device.create_buffer({count * 4}));
    output_ = value_or_exit(device.create_buffer({4}));
    value_or_exit(crosslane::measure::fill_with_hashes(device, *input_, count, 7));
    crosslane::ReductionOptions options;
    options.method = method;
    plan_ = std::make_unique<crosslane::Reduction>(value_or_exit(crosslane::Reduction::create(device, options)));
  }
  crosslane::Expected<void> record(crosslane::CommandList& list) override {
    return plan_->record(list, *input_, 0, count_, *output_);
  }
  std::vector<std::uint32_t> result() override {
    std::vector<std::uint32_t> word(1);
    value_or_exit(crosslane::download(device(), *output_, std::as_writable_bytes(std::span(word))));
    return word;
  }

 private:
  std::uint64_t count_;
  std::unique_ptr<Buffer> input_;
  std::unique_ptr<Buffer> output_;
  std::unique_ptr<crosslane::Reduction> plan_;
};

class MatrixProduct final : public Work {
 public:
  MatrixProduct(Device& device, std::uint32_t size) : Work(device), size_(size) {
    std::vector<float> values(std::size_t{size} * size);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(crosslane::measure::hash_word(3, i) % 1024) / 1024.0F;
    }
    for (auto* buffer : {&left_, &right_, &product_}) {
      *buffer = value_or_exit(device.create_buffer({values.size() * sizeof(float)}));
      value_or_exit(crosslane::upload(device, **buffer, std::as_bytes(std::span(values))));
    }
    const auto* kernel = crosslane::find_kernel(crosslane::kernels(), "measure.matrix_multiply");
    pipeline_ = value_or_exit(device.create_pipeline({.spirv = kernel->spirv, .name = std::string(kernel->name)}));
  }
  crosslane::Expected<void> record(crosslane::CommandList& list) override {
    const std::array bindings = {crosslane::Binding{0, left_.get()}, crosslane::Binding{1, right_.get()},
                                 crosslane::Binding{2, product_.get()}};
    return list.dispatch(*pipeline_, bindings, std::as_bytes(std::span(&size_, 1)), {size_ / 64, size_ / 64, 1});
  }
  std::vector<std::uint32_t> result() override {
    std::vector<std::uint32_t> words(std::size_t{size_} * size_);
    value_or_exit(crosslane::download(device(), *product_, std::as_writable_bytes(std::span(words))));
    return words;
  }

 private:
  std::uint32_t size_;
  std::unique_ptr<Buffer> left_;
  std::unique_ptr<Buffer> right_;
  std::unique_ptr<Buffer> product_;
  std::unique_ptr<crosslane::Pipeline> pipeline_;
};

}  // namespace benchmark
