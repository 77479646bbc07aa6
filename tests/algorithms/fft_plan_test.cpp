#include "algorithms/fft_plan.hpp"

#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "algorithms/fft_factors.hpp"
#include "algorithms/fft_mixed.hpp"
#include "algorithms/planned_device.hpp"
#include "kernels/kernel.hpp"
#include "support/expected.hpp"

namespace crosslane {
namespace {

constexpr std::array both_types = {ScalarType::f32, ScalarType::f64};
constexpr std::array both_methods = {Method::groupshared, Method::shuffle};

TEST(FftPlan, PassesAreWithinWhatAGroupHolds) {
  for (const ScalarType type : both_types) {
    for (const Method method : both_methods) {
      for (const std::uint32_t wave_size : {1U, 4U, 32U, 128U}) {
        for (std::uint32_t bits = 0; bits <= largest_fft_bits; ++bits) {
          const auto passes = plan_fft_shape(type, std::uint64_t{1} << bits, method, wave_size).passes;
          EXPECT_EQ(passes.size() == 1, bits <= one_pass_fft_bits(type));
          std::uint32_t sum = 0;
          for (const FftPass& pass : passes) {
            sum += pass.size_bits;
            const std::uint32_t threads = std::max(1U, (1U << pass.size_bits) / pass.points);
            EXPECT_LE(threads, pass.threads) << bits;
            EXPECT_EQ(lines_per_group(pass), pass.threads / threads);
            EXPECT_NE(find_kernel(kernels(), fft_kernel_name(type, pass, method)), nullptr)
                << fft_kernel_name(type, pass, method);
            EXPECT_TRUE(!pass.paired || has_pairs(type, pass, method));
            EXPECT_LE(1U << pass.beside_bits, lines_per_group(pass)) << bits;
            EXPECT_TRUE(pass.size_bits == 0 || pass.points <= 1U << pass.size_bits) << bits;
          }
          EXPECT_EQ(sum, bits);
        }
      }
    }
  }
}

TEST(FftPlan, TakesMorePointsPerThreadToFitAWave) {
  const auto points = [](Method method, std::uint32_t wave_size) {
    return plan_fft_shape(ScalarType::f32, 64, method, wave_size).passes.front().points;
  };
  EXPECT_EQ(points(Method::shuffle, 32), points(Method::groupshared, 32));
  EXPECT_EQ(points(Method::shuffle, 4), 16U);
  EXPECT_EQ(points(Method::shuffle, 2), points(Method::groupshared, 2)) << "no number of points makes 64 fit";
}

TEST(FftPlan, NamesTheKernels) {
  EXPECT_EQ(fft_kernel_name(ScalarType::f64, {3, 4, 128}, Method::shuffle), "fft.f64.4x128.shuffle");
}

// Arrays of 8 points that follow each other; `change` moves them or spreads them out.
FftPass pass_for(Method method, void (*change)(FftView&)) {
  FftView view{16, 1, 8, 80, 8};
  change(view);
  const FftShape shape = plan_fft_shape(ScalarType::f32, 8, method, 32);
  return for_arrays(ScalarType::f32, shape, view, view).passes.front();
}

TEST(FftPlan, ReadsPairsWhereTheyAreAligned) {
  EXPECT_TRUE(pass_for(Method::shuffle, [](FftView&) {}).paired);
  EXPECT_FALSE(pass_for(Method::groupshared, [](FftView&) {}).paired);
  EXPECT_FALSE(pass_for(Method::shuffle, [](FftView& view) { view.offset = 8; }).paired);
  EXPECT_FALSE(pass_for(Method::shuffle, [](FftView& view) { view.stride = 2; }).paired);
  EXPECT_FALSE(pass_for(Method::shuffle, [](FftView& view) { view.batch_stride = 9; }).paired);
  EXPECT_FALSE(pass_for(Method::shuffle, [](FftView& view) { view.row_stride = 81; }).paired);
  EXPECT_TRUE(plan_fft_shape(ScalarType::f32, 8, Method::shuffle, 1).passes.front().paired) << "one lane has all";
  EXPECT_FALSE(plan_fft_shape(ScalarType::f32, 64, Method::shuffle, 1).passes.front().paired)
      << "no lane has a neighbour";
}

TEST(FftPlan, ColumnsLieBesideEachOtherInLargeGroups) {
  const FftView columns{0, 64, 1, 64 * 1024, 1024};
  const FftShape shape = plan_fft_shape(ScalarType::f32, 1024, Method::groupshared, 32);
  const FftPass rows = shape.passes.front();
  const FftPass pass = for_arrays(ScalarType::f32, shape, columns, columns).passes.front();
  EXPECT_EQ(lines_per_group(rows), 1U);
  EXPECT_EQ(1U << pass.beside_bits, lines_per_group(pass));
  EXPECT_EQ(lines_per_group(pass), 4U);
}

TEST(FftPlan, SpansGoFromTheFirstToBehindTheLast) {
  EXPECT_EQ(span_of({0, 1, 8, 8, 8}, 1, 1), 8U);
  EXPECT_EQ(span_of({0, 3, 1, 30, 8}, 3, 2), 7U * 3 + 2 + 30 + 1);
}

FftWork plan(const DeviceInfo& device, std::uint32_t bits, const FftView& view, std::uint64_t count,
             std::uint64_t rows) {
  const auto shape = plan_fft_shape(ScalarType::f32, std::uint64_t{1} << bits, Method::groupshared, 32);
  return test::must(plan_fft(device.limits, ScalarType::f32, shape, view, view, count, rows));
}

TEST(FftPlan, OneDispatchWhereEverythingFits) {
  const auto work = plan(test::device_of(1U << 27U, 64), 3, {72, 1, 8, 8000, 8}, 1000, 1);
  ASSERT_EQ(work.dispatches.size(), 1U);
  EXPECT_EQ(work.scratch_bytes, 0U);
  const FftDispatch& only = work.dispatches.front();
  EXPECT_FALSE(only.after_barrier);
  EXPECT_EQ(only.from.offset, 64U);
  EXPECT_EQ(only.params.from.first, 1U);
  EXPECT_EQ(only.from.bytes, 8U + 8 * 8000);
  EXPECT_EQ(only.params.end_line, 1000U);
  EXPECT_EQ(only.groups, (1000U + 63) / 64) << "four threads transform 8 points";
}

TEST(FftPlan, PartsCoverEveryTransformOnce) {
  constexpr std::uint64_t size = 256;
  constexpr std::uint64_t count = 37;
  constexpr std::uint64_t rows = 5;
  const FftView view{8, 2, 2 * size, 2 * size * count + 10, size};
  const auto work = plan(test::device_of(64U << 10U, 32, 2), 8, view, count, rows);
  std::uint64_t lines = 0;
  for (const FftDispatch& part : work.dispatches) {
    EXPECT_LE(part.from.bytes, 64U << 10U);
    EXPECT_LE(part.groups, 2U);
    EXPECT_EQ(part.from.offset % 32, 0U);
    lines += part.params.end_line - part.params.first_line;
  }
  EXPECT_EQ(lines, count * rows);
}

TEST(FftPlan, PassesAreOrderedAndShareTheScratchMemory) {
  const auto work = plan(test::device_of(1U << 31U, 16), 20, {0, 1, 1U << 20U, 1U << 26U, 1U << 20U}, 64, 1);
  // 512 MiB of numbers go through 256 MiB of scratch memory.
  ASSERT_EQ(work.scratch_bytes, 1U << 28U);
  ASSERT_GE(work.dispatches.size(), 4U);
  std::size_t pass = 1;
  for (const FftDispatch& part : work.dispatches) {
    EXPECT_EQ(part.after_barrier, part.pass != pass) << "parts of one pass do not wait for each other";
    pass = part.pass;
    EXPECT_EQ(part.done, part.pass == 0 ? 1U : 1U << 10U);
    EXPECT_EQ(part.units, 1U << 10U);
  }
}

TEST(FftPlan, RefusesTransformsThatABindingCannotShow) {
  const auto shape = plan_fft_shape(ScalarType::f32, 4096, Method::shuffle, 32);
  const FftView view{0, 5, 4096, 4096, 4096};
  EXPECT_TRUE(test::fails(plan_fft(test::device_of(64U << 10U, 16).limits, ScalarType::f32, shape, view, view, 3, 2),
                          ErrorCode::unsupported, "one transform of 4096 points takes 163808 bytes"));
}

TEST(FftFactors, RootsOfUnityAreExactWhereTheyCanBe) {
  EXPECT_EQ(unit_root(0, 12), std::complex(1.0, 0.0));
  EXPECT_EQ(unit_root(3, 12), std::complex(0.0, -1.0));
  EXPECT_EQ(unit_root(6, 12), std::complex(-1.0, 0.0));
  EXPECT_EQ(unit_root(9, 12), std::complex(0.0, 1.0));
}

TEST(FftFactors, RootsOfUnityAreAccurate) {
  for (const std::uint64_t n : {3U, 8U, 100U, 4096U}) {
    for (std::uint64_t k = 0; k < 2 * n; ++k) {
      const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / n;
      const std::complex<double> root = unit_root(k, n);
      EXPECT_NEAR(root.real(), static_cast<double>(std::cos(angle)), 3e-16) << k << " of " << n;
      EXPECT_NEAR(root.imag(), static_cast<double>(std::sin(angle)), 3e-16) << k << " of " << n;
    }
  }
}

TEST(FftFactors, LieAsTheKernelsReadThem) {
  // 2, 8 and 8 points in three stages, and then as one of two passes.
  const FftPass pass{7, 8};
  const FftFactors factors = make_fft_factors({1U << 14U, 1U << 14U, {pass, pass}, false}, false);
  ASSERT_EQ(factors.stages.size(), 2U);
  EXPECT_EQ(factors.stages[0], 0U);
  EXPECT_EQ(factors.stages[1], 3U * 2 + 3 * 16);
  EXPECT_EQ(factors.table[1 * 2 + 1], unit_root(2, 16)) << "bit 1 of l = 1 after 2 points";
  EXPECT_EQ(factors.table[3 * 2 + 2 * 16 + 5], unit_root(20, 128)) << "bit 2 of l = 5 after 16 points";
  EXPECT_EQ(factors.near_factors, 2 * factors.stages[1]);
  EXPECT_EQ(factors.factor_bits, 7U);
  EXPECT_EQ(factors.table[factors.near_factors + 3], unit_root(3, 1U << 14U));
  EXPECT_EQ(factors.table[factors.far_factors + 3], unit_root(3U << 7U, 1U << 14U));
}

TEST(FftFactors, TheHostTransforms) {
  std::vector<std::complex<double>> x(16);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = {static_cast<double>(i * i % 7), static_cast<double>(i % 5)};
  }
  auto results = x;
  fft_on_host(results);
  for (std::uint64_t k = 0; k < x.size(); ++k) {
    std::complex<double> expected;
    for (std::uint64_t n = 0; n < x.size(); ++n) {
      expected += x[n] * unit_root(n * k, x.size());
    }
    EXPECT_LT(std::abs(results[k] - expected), 1e-13) << k;
  }
}

TEST(FftPlan, OtherSizesAreConvolutions) {
  const FftShape shape = plan_fft_shape(ScalarType::f32, 101, Method::shuffle, 32);
  EXPECT_TRUE(shape.convolves);
  EXPECT_EQ(shape.points, 256U) << "201 values in all";
  ASSERT_EQ(shape.passes.size(), 2U);
  const FftView view{0, 1, 101, 303, 101};
  const auto work =
      test::must(plan_fft(test::device_of(1U << 27U, 16).limits, ScalarType::f32, shape, view, view, 3, 2));
  ASSERT_EQ(work.dispatches.size(), 2U);
  EXPECT_EQ(work.scratch_bytes, 6U * 256 * 8);
  EXPECT_EQ(work.dispatches[0].from.bytes, 606U * 8);
  EXPECT_EQ(work.dispatches[1].done, 1U) << "the second transform begins from new";
}

std::uint64_t product_of(const std::vector<std::uint32_t>& factors) {
  std::uint64_t product = 1;
  for (const std::uint32_t factor : factors) {
    product *= factor;
  }
  return product;
}

TEST(FftMixed, KnowsSmallFactors) {
  for (const std::uint64_t size : {1U, 2U, 3U, 5U, 7U, 210U, 2187U, 4096U, 823543U}) {
    EXPECT_TRUE(has_small_factors(size)) << size;
  }
  for (const std::uint64_t size : {11U, 13U, 22U, 4095U, 823542U}) {
    EXPECT_FALSE(has_small_factors(size)) << size;
  }
}

TEST(FftMixed, StagesMakeUpTheLine) {
  for (std::uint32_t points = 1; points <= 4096; ++points) {
    if (has_small_factors(points)) {
      const auto radices = fft_radices(points);
      EXPECT_EQ(product_of(radices), points);
      EXPECT_LE(radices.size(), 8U) << "they are packed into 32 bits: " << points;
    }
  }
  EXPECT_EQ(fft_radices(16), (std::vector<std::uint32_t>{4, 4})) << "rather than 8 and 2";
  EXPECT_EQ(fft_radices(3360), (std::vector<std::uint32_t>{7, 5, 3, 8, 4}));
}

TEST(FftMixed, LinesAreWithinWhatAGroupHolds) {
  constexpr std::uint32_t values = 21;
  for (const ScalarType type : both_types) {
    const std::uint32_t threads = type == ScalarType::f64 ? 128 : 256;
    for (std::uint32_t points = 3; points <= 1U << one_pass_fft_bits(type); ++points) {
      if (!has_small_factors(points)) {
        continue;
      }
      for (const std::uint32_t beside : {1U, 4U, 16U}) {
        const FftPass pass = mixed_fft_pass(type, points, beside);
        const std::uint32_t lines = lines_per_group(pass);
        EXPECT_EQ(lines, pass.rows * pass.beside);
        EXPECT_GE(lines, 1U) << points;
        EXPECT_LE(pass.beside, beside);
        EXPECT_LE(lines * pass.line_threads, threads) << points;
        EXPECT_LE(lines * points, threads * 16) << points;
        for (const std::uint32_t radix : fft_radices(points)) {
          const std::uint32_t butterflies = (points / radix + pass.line_threads - 1) / pass.line_threads;
          EXPECT_LE(butterflies * radix, values) << points << " by " << radix;
        }
      }
    }
  }
}

TEST(FftMixed, LargeSizesTakeLinesThatFit) {
  for (const ScalarType type : both_types) {
    for (const std::uint64_t size :
         {5040U, 6561U, 100000U, 823543U, 1500000U, 3U << 20U, 3U << 22U, 9765625U, 14348907U}) {
      const auto lines = fft_lines(type, size);
      EXPECT_EQ(product_of(lines), size);
      EXPECT_LE(lines.size(), 3U) << size;
      for (const std::uint32_t points : lines) {
        EXPECT_LE(points, 1024U) << size;
      }
    }
    EXPECT_EQ(fft_lines(type, 5040), (std::vector<std::uint32_t>{72, 70}));
    EXPECT_EQ(fft_lines(type, 2000).size(), 1U);
    EXPECT_EQ(fft_lines(type, 4000).size(), type == ScalarType::f64 ? 2U : 1U);
  }
}

TEST(FftMixed, FitsAWaveWhereTheMethodShuffles) {
  const auto kernel = [](std::uint64_t size, Method method, std::uint32_t wave_size) {
    return plan_fft_shape(ScalarType::f32, size, method, wave_size).passes.front().kernel;
  };
  EXPECT_EQ(kernel(30, Method::shuffle, 32), FftKernel::lanes);
  EXPECT_EQ(kernel(35, Method::shuffle, 32), FftKernel::mixed);
  EXPECT_EQ(kernel(35, Method::shuffle, 64), FftKernel::lanes);
  EXPECT_EQ(kernel(30, Method::groupshared, 32), FftKernel::mixed);
  EXPECT_EQ(kernel(3, Method::shuffle, 1), FftKernel::mixed);
}

TEST(FftPlan, RealNumbersTakePassesOfTheirOwnWhereTheyMust) {
  const auto kernels_of = [](std::uint64_t size, bool inverse, bool apart) {
    FftOptions options;
    options.size = size;
    options.real = true;
    options.inverse = inverse;
    options.apart = apart;
    std::vector<FftKernel> all;
    for (const FftPass& pass : plan_fft_shape(options, Method::groupshared, 32).passes) {
      all.push_back(pass.kernel);
    }
    return all;
  };
  using enum FftKernel;
  EXPECT_EQ(kernels_of(16, false, false), (std::vector{powers, split}));
  EXPECT_EQ(kernels_of(30, true, false), (std::vector{split, mixed}));
  EXPECT_EQ(kernels_of(16, false, true), (std::vector{copy, powers, copy}));
  EXPECT_EQ(kernels_of(15, false, false), (std::vector{mixed}));
  EXPECT_EQ(kernels_of(30, true, true), (std::vector{mixed}));
  EXPECT_EQ(kernels_of(11, true, false), (std::vector{copy, powers, powers, copy}));
}

TEST(FftPlan, HalvesAreReadAtTheBeginningAndWrittenAtTheEnd) {
  FftOptions options;
  options.size = 8192;
  options.halves = true;
  const auto passes = plan_fft_shape(options, Method::shuffle, 32).passes;
  ASSERT_EQ(passes.size(), 2U);
  EXPECT_EQ(passes[0].from, FftNumbers::halves);
  EXPECT_EQ(passes[0].to, FftNumbers::complex);
  EXPECT_EQ(passes[1].to, FftNumbers::halves);
  for (std::uint32_t bits = 0; bits <= 13; ++bits) {
    options.size = std::uint64_t{1} << bits;
    for (const Method method : both_methods) {
      for (const FftPass& pass : plan_fft_shape(options, method, 32).passes) {
        EXPECT_FALSE(pass.paired);
        EXPECT_NE(find_kernel(kernels(), fft_kernel_name(ScalarType::f32, pass, method)), nullptr);
      }
    }
  }
}

}  // namespace
}  // namespace crosslane
