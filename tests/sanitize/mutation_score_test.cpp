// How many of the faults that a hand makes in the library's own kernels the checker finds: each barrier left out, each
// mask changed, each bound shrunk, one at a time. It prints them and those that are not found: a score, and no
// judgement.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "crosslane/blur.hpp"
#include "crosslane/compaction.hpp"
#include "crosslane/fft.hpp"
#include "crosslane/reduction.hpp"
#include "crosslane/scan.hpp"
#include "sanitize/capture.hpp"
#include "sanitize/mutants.hpp"
#include "support/expected.hpp"
#include "support/sweep.hpp"

namespace crosslane::sanitize_tests {
namespace {

using test::CapturingDevice;
using test::must;
using test::MutantKind;

constexpr std::array wave_sizes = {32U, 4U, 128U};

// Several groups, the last one not full.
constexpr std::uint32_t count = 9001;

std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t n = 0; n < count; ++n) {
    values[n] = (n + 1) * 2654435761U >> 8U;
  }
  return values;
}

void run_reductions(Device& device, Method method) {
  const auto values = numbers();
  must(reduce<std::uint32_t>(device, values, Operator::sum, method));
  const std::vector<float> floats(values.begin(), values.end());
  must(reduce<float>(device, floats, Operator::minimum, method));
}

void run_scans(Device& device, Method method) {
  const auto values = numbers();
  for (const auto passes : {Passes::one, Passes::several}) {
    must(scan<std::uint32_t>(device, values, {.method = method, .passes = passes}));
  }
}

void run_compactions(Device& device, Method method) {
  const auto values = numbers();
  const auto bytes = std::as_bytes(std::span(values));
  for (const auto passes : {Passes::one, Passes::several}) {
    auto plan =
        must(Compaction::create(device, {.selection = ByComparison::of<std::uint32_t>(Comparison::less, 1U << 23U),
                                         .method = method,
                                         .passes = passes}));
    const auto input = must(device.create_buffer({.bytes = bytes.size()}));
    const auto kept = must(device.create_buffer({.bytes = bytes.size()}));
    const auto kept_count = must(device.create_buffer({.bytes = 8}));
    must(upload(device, *input, bytes));
    const auto list = must(device.create_command_list());
    must(plan.record(*list, {.input = {input.get()}, .kept = {kept.get()}, .count = {kept_count.get()}}, count));
    must(run(device, *list));
  }
}

void run_transforms(Device& device, Method method) {
  if (method == Method::wave_intrinsics) {
    return;
  }
  for (const std::uint64_t size : {64U, 1024U, 100U}) {
    std::vector<std::complex<float>> values(size * 3);
    for (std::size_t n = 0; n < values.size(); ++n) {
      values[n] = {static_cast<float>(n * 7 % 31), static_cast<float>(n * 5 % 17)};
    }
    must(fft<float>(device, values, {.size = size, .method = method}));
  }
}

void run_blurs(Device& device, Method method) {
  if (method == Method::wave_intrinsics) {
    return;
  }
  constexpr std::uint64_t width = 75;
  constexpr std::uint64_t height = 11;
  for (const auto& [format, radius] : {std::pair{BlurFormat::f32, 4U}, {BlurFormat::rgba8, 9U}}) {
    std::vector<std::byte> pixels(blur_row_bytes(format, width) * height);
    for (std::size_t n = 0; n < pixels.size(); ++n) {
      pixels[n] = std::byte{static_cast<unsigned char>(n % 4 == 3 ? 60 : n * 31 % 251)};
    }
    must(blur(device, pixels, width,
              {.format = format, .radius = radius, .border = BlurBorder::clamp, .method = method}));
  }
}

struct Family {
  std::string name;
  void (*run)(Device&, Method);
};

const std::array families = {Family{"reduce", run_reductions}, Family{"scan", run_scans},
                             Family{"compact", run_compactions}, Family{"fft", run_transforms},
                             Family{"blur", run_blurs}};

struct Score {
  std::size_t caught = 0;
  std::size_t all = 0;
  void add(bool one) {
    caught += one ? 1 : 0;
    ++all;
  }
};

CheckReport check_at(const CheckRequest& request, std::uint32_t wave_size) {
  return must(check(request, {.wave_sizes = {wave_size}, .most_iterations = 1U << 18U}));
}

// What the kernel leaves when nothing is wrong with it.
std::vector<std::vector<std::byte>> right_outputs(CheckRequest request, std::uint32_t wave_size) {
  std::vector<std::vector<std::byte>> outputs;
  request.results_hold = [&](std::span<const std::vector<std::byte>> after) {
    if (outputs.empty()) {
      outputs.assign(after.begin(), after.end());
    }
    return true;
  };
  const auto report = check_at(request, wave_size);
  EXPECT_TRUE(report.clean()) << request.name << ", " << wave_size << " lanes\n" << describe(report);
  return outputs;
}

// Loops are unrolled in kernels, so that many of their mutants are of one place in the source: some of each kind,
// evenly spread, are enough but in the long run.
std::vector<test::Mutant> some_of(const std::vector<test::Mutant>& all) {
  const auto most = test::extent(std::size_t{12}, all.size());
  std::vector<test::Mutant> some;
  for (const auto kind : {MutantKind::barrier, MutantKind::mask, MutantKind::bound}) {
    const auto of_kind = std::max<std::size_t>(std::ranges::count(all, kind, &test::Mutant::kind), 1);
    std::size_t number = 0;
    for (const auto& mutant : all) {
      if (mutant.kind != kind) {
        continue;
      }
      const auto before = number * most / of_kind;
      ++number;
      if (of_kind <= most || number * most / of_kind != before) {
        some.push_back(mutant);
      }
    }
  }
  return some;
}

// The mutants of one kernel that have not been caught yet.
struct Kernel {
  std::vector<test::Mutant> mutants;
  std::set<std::size_t> left;
};

TEST(MutationScore, OfTheOwnKernels) {
  std::map<std::pair<std::string, MutantKind>, Score> scores;
  std::string survivors;
  for (const auto& family : families) {
    std::map<std::string, Kernel> kernels;
    for (const auto wave_size : wave_sizes) {
      CapturingDevice device(wave_size);
      for (const auto method : {Method::groupshared, Method::shuffle, Method::wave_intrinsics}) {
        family.run(device, method);
      }
      for (const auto& [name, dispatch] : device.dispatches()) {
        auto& kernel = kernels[name];
        if (kernel.mutants.empty()) {
          kernel.mutants = some_of(test::mutants(dispatch.words));
          for (std::size_t n = 0; n < kernel.mutants.size(); ++n) {
            kernel.left.insert(n);
          }
        }
        auto request = dispatch.request;
        const auto right = right_outputs(request, wave_size);
        request.results_hold = [&right](std::span<const std::vector<std::byte>> after) {
          return std::ranges::equal(right, after);
        };
        std::erase_if(kernel.left, [&](std::size_t n) {
          request.spirv = kernel.mutants[n].words;
          return !check_at(request, wave_size).clean();
        });
      }
    }
    std::cout << fmt::format("{}: {} kernels\n", family.name, kernels.size());
    for (const auto& [name, kernel] : kernels) {
      for (std::size_t n = 0; n < kernel.mutants.size(); ++n) {
        const bool caught = !kernel.left.contains(n);
        scores[{family.name, kernel.mutants[n].kind}].add(caught);
        survivors += caught ? "" : fmt::format("  {}: {}\n", name, kernel.mutants[n].what);
      }
    }
    for (const auto kind : {MutantKind::barrier, MutantKind::mask, MutantKind::bound}) {
      const auto& score = scores[{family.name, kind}];
      std::cout << fmt::format("  {:18} {} of {} are found\n", name(kind), score.caught, score.all);
    }
    std::cout << std::exchange(survivors, {}) << std::flush;
  }
  Score total;
  for (const auto& [key, score] : scores) {
    total.caught += score.caught;
    total.all += score.all;
  }
  std::cout << fmt::format("all: {} of {}\n", total.caught, total.all);
  EXPECT_GT(total.caught, 0U);
}

}  // namespace
}  // namespace crosslane::sanitize_tests
