#include "measure/exchange_chain.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "kernels/kernel.hpp"
#include "kernels/measure/exchange_params.hlsli"
#include "measure/sampler.hpp"
#include "spirv/rewrite.hpp"

namespace crosslane::measure {
namespace {

using Words = std::array<std::uint32_t, 4>;  // of one thread's result
using Complex = std::complex<double>;

constexpr std::uint32_t transform_points = 8;
constexpr std::uint32_t transform_threads = 4;

// As crosslane::GroupFft takes them (hlsl/crosslane/group/fft.hlsli).
std::vector<std::complex<float>> transform_factors() {
  std::vector<std::complex<float>> factors;
  for (const std::uint32_t done : {2U, 4U}) {
    for (std::uint32_t l = 0; l < done; ++l) {
      factors.emplace_back(std::polar(1.0, -std::numbers::pi * l / done));
    }
  }
  return factors;
}

// The points of a transform after `steps` of them, each divided by √8.
std::vector<Complex> transformed(std::uint32_t steps) {
  std::vector<Complex> points(transform_points);
  for (std::uint32_t p = 0; p < transform_points; ++p) {
    points[p] = Complex(p, 1.0);
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    std::vector<Complex> next(transform_points);
    for (std::uint32_t k = 0; k < transform_points; ++k) {
      for (std::uint32_t p = 0; p < transform_points; ++p) {
        next[k] += points[p] * std::polar(1.0 / std::sqrt(8.0), -2.0 * std::numbers::pi * k * p / transform_points);
      }
    }
    points = next;
  }
  return points;
}

std::string transform_fault(std::span<const Words> results, std::uint32_t steps) {
  const std::vector<Complex> right = transformed(steps);
  for (std::size_t thread = 0; thread < results.size(); ++thread) {
    for (std::uint32_t j = 0; j < 2; ++j) {
      const Complex got(std::bit_cast<float>(results[thread][std::size_t{2} * j]),
                        std::bit_cast<float>(results[thread][std::size_t{2} * j + 1]));
      const std::uint32_t point = static_cast<std::uint32_t>(thread) % transform_threads + j * transform_threads;
      constexpr double rounding = 1e-4;
      if (!(std::abs(got - right[point]) <= rounding)) {
        return fmt::format("point {} of thread {}'s transform is {} + {} i, not {} + {} i", point, thread,
                           right[point].real(), right[point].imag(), got.real(), got.imag());
      }
    }
  }
  return "";
}

}  // namespace

std::uint32_t exchanged_value(std::string_view kind, std::uint32_t count, std::uint32_t own, std::uint32_t steps) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    values[i] = i;
  }
  if (kind == "load") {
    return (own + steps) % count;
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::vector<std::uint32_t> before = values;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t from = (i + 1) % count;  // index, rotate and groupshared
      if (kind == "up") {
        from = i == 0 ? i : i - 1;
      } else if (kind == "down") {
        from = i + 1 == count ? i : i + 1;
      } else if (kind == "xor") {
        from = (i ^ 1U) < count ? i ^ 1U : i;
      }
      values[i] = before[from] + 1;
    }
  }
  return values[own];
}

Expected<ExchangeChain> ExchangeChain::create(Device& device, const ExchangeKind& kind, std::uint32_t threads,
                                              bool clock) {
  const std::string name = fmt::format("measure.exchange.{}{}", kind.name, clock ? ".clock" : "");
  const Kernel* const kernel = find_kernel(kernels(), name);
  if (kernel == nullptr) {
    return fail(ErrorCode::unsupported, fmt::format("this build of Crosslane has no kernel '{}'", name));
  }
  if (device.info().shader_model[0] != 0 && !kernel->dxil.empty() && kernel->dxil.front().group_size[0] != threads) {
    return fail(ErrorCode::unsupported, fmt::format("in Direct3D 12 a group's size is part of the shader, and it is "
                                                    "compiled for {} threads",
                                                    kernel->dxil.front().group_size[0]));
  }
  const auto words = spirv::set_group_size(kernel->spirv, {threads, 1, 1});
  if (!words) {
    return tl::unexpected(words.error());
  }
  ExchangeChain chain(device, kind, threads);
  const auto factors = transform_factors();
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  PipelineDescription description;
  description.spirv = *words;
  description.name = name;
  description.dxil = kernel->dxil;
  return device.create_pipeline(description)
      .map(keep(chain.pipeline_))
      .and_then([&] { return device.create_buffer({.bytes = std::uint64_t{2} * threads * sizeof(Words)}); })
      .map(keep(chain.output_))
      .and_then([&] { return device.create_buffer({.bytes = most_exchange_groups * sizeof(std::uint32_t)}); })
      .map(keep(chain.ticks_))
      .and_then([&] { return device.create_buffer({.bytes = factors.size() * sizeof(factors[0])}); })
      .map(keep(chain.factors_))
      .and_then([&] { return upload(device, *chain.factors_, std::as_bytes(std::span(factors))); })
      .map([&] { return std::move(chain); });
}

Expected<void> ExchangeChain::record(CommandList& list, std::uint32_t steps, std::uint32_t groups) const {
  const kernel_interface::ExchangeParams params{steps / CROSSLANE_EXCHANGE_UNROLLED, threads_};
  const std::array bindings = {Binding{0, output_.get()}, Binding{1, ticks_.get()}, Binding{2, factors_.get()}};
  return list.dispatch(*pipeline_, bindings, std::as_bytes(std::span(&params, 1)), {groups, 1, 1});
}

Expected<std::string> ExchangeChain::verify() const {
  constexpr std::uint32_t steps = 3 * CROSSLANE_EXCHANGE_UNROLLED;
  std::vector<Words> results(threads_);
  const auto done =
      device_->create_command_list()
          .and_then([&](const std::unique_ptr<CommandList>& list) {
            return record(*list, steps, 1).and_then([&] { return run(*device_, *list); });
          })
          .and_then([&] { return download(*device_, *output_, std::as_writable_bytes(std::span(results))); });
  if (!done) {
    return tl::unexpected(done.error());
  }
  if (kind_->fft) {
    return transform_fault(results, steps);
  }
  if (kind_->name == "none" || kind_->name == "barrier") {
    return "";  // there is nothing that another thread has to do with
  }
  for (std::uint32_t thread = 0; thread < threads_; ++thread) {
    const auto [value, lane, own, unused] = results[thread];
    const std::uint32_t count = kind_->of_waves ? wave_size() : threads_;
    const std::uint32_t right = exchanged_value(kind_->name, count, kind_->of_waves ? lane % count : thread, steps);
    if (value != right || own != thread) {
      return fmt::format("thread {}, lane {}, has {} after {} steps, not {}", thread, lane, value, steps, right);
    }
  }
  return "";
}

Expected<double> ExchangeChain::time(std::uint32_t steps, std::uint32_t groups) const {
  Work work;
  work.record = [&](CommandList& list, std::size_t) { return record(list, steps, groups); };
  Rotation rotation(1);
  return time_repeats(*device_, work, rotation, 1);
}

Expected<double> ExchangeChain::ticks(std::uint32_t steps) const {
  std::uint32_t ticks = 0;
  return device_->create_command_list()
      .and_then([&](const std::unique_ptr<CommandList>& list) {
        return record(*list, steps, 1).and_then([&] { return run(*device_, *list); });
      })
      .and_then([&] { return download(*device_, *ticks_, std::as_writable_bytes(std::span(&ticks, 1))); })
      .map([&] { return static_cast<double>(ticks) / steps; });
}

}  // namespace crosslane::measure
