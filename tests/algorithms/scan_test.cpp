#include "crosslane/scan.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithms/limited_device.hpp"
#include "algorithms/run_reduction.hpp"
#include "algorithms/run_scan.hpp"
#include "algorithms/scan_oracle.hpp"
#include "algorithms/slow_device.hpp"
#include "functors/functors.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::all_passes;
using test::must;
using test::random_values;
using test::Scanner;

template <typename T>
class ScanOf : public testing::Test {};
using ElementTypes = testing::Types<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;
TYPED_TEST_SUITE(ScanOf, ElementTypes);

TYPED_TEST(ScanOf, ArraysLargerThanOneBinding) {
  using T = TypeParam;
  test::LimitedDevice limited(test::device(), 64U << 10U, 3);
  const auto values = random_values<T>(50021);
  for (const Passes passes : all_passes()) {
    for (const bool exclusive : {false, true}) {
      ScanOptions options;
      options.passes = passes;
      options.exclusive = exclusive;
      Scanner<T> scanner(limited, options);
      // The state is clean again: the second run gives the same.
      for (const bool in_place : {false, true}) {
        const auto results = scanner(values, {3, 2, in_place, {}});
        test::expect_scan<T>(values, results, Operator::sum, exclusive, scanner.plan().error_bound(values.size()),
                             fmt::format("{}, {}, {}", passes == Passes::one ? "one pass" : "several passes",
                                         exclusive ? "exclusive" : "inclusive", in_place ? "in place" : "elsewhere"));
      }
    }
  }
}

TYPED_TEST(ScanOf, CountsThatOnlyTheDeviceKnows) {
  using T = TypeParam;
  test::LimitedDevice limited(test::device(), 64U << 10U, 3);
  const auto values = random_values<T>(50021);
  for (const Passes passes : all_passes()) {
    ScanOptions options;
    options.op = Operator::maximum;
    options.passes = passes;
    Scanner<T> scanner(limited, options);
    for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{30000}, std::uint64_t{50020},
                                      std::uint64_t{50021}, std::uint64_t{50022}, std::uint64_t{1} << 40U}) {
      const auto results = scanner(values, {1, 1, false, count});
      const auto known = static_cast<std::size_t>(std::min<std::uint64_t>(count, values.size()));
      test::expect_scan<T>(std::span(values).first(known), std::span(results).first(known), Operator::maximum, false, 0,
                           fmt::format("{} elements", count));
      for (std::size_t i = known; i < results.size(); ++i) {
        ASSERT_EQ(results[i], Scanner<T>::guard) << "element " << i << " of " << count;
      }
    }
  }
}

TYPED_TEST(ScanOf, ManyRecordingsInOneList) {
  using T = TypeParam;
  Device& device = test::device();
  const auto values = random_values<T>(4001);
  for (const Passes passes : all_passes()) {
    ScanOptions options;
    options.type = scalar_type_of<T>;
    options.op = Operator::minimum;
    options.passes = passes;
    Scan plan = must(Scan::create(device, options));
    const auto buffer = must(device.create_buffer({values.size() * sizeof(T), MemoryKind::device}));
    must(upload(device, *buffer, std::as_bytes(std::span(values))));
    const auto list = must(device.create_command_list());
    // A minimum scanned again stays as it is.
    for (int time = 0; time < 11; ++time) {
      must(plan.record(*list, *buffer, 0, values.size(), *buffer));
      must(list->barrier());
    }
    must(run(device, *list));
    std::vector<T> results(values.size());
    must(download(device, *buffer, std::as_writable_bytes(std::span(results))));
    test::expect_scan<T>(values, results, Operator::minimum, false, 0, "eleven times");
  }
}

TYPED_TEST(ScanOf, HostValuesInOneCall) {
  using T = TypeParam;
  const auto values = random_values<T>(1000);
  ScanOptions options;
  options.op = Operator::maximum;
  options.exclusive = true;
  const auto results = must(scan<T>(test::device(), values, options));
  test::expect_scan<T>(values, results, Operator::maximum, true, 0, "one call");
  EXPECT_TRUE(must(scan<T>(test::device(), std::span<const T>{}, options)).empty());
}

template <typename T>
class FloatScanOf : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatScanOf, FloatTypes);

TYPED_TEST(FloatScanOf, NaNAndZerosMeanTheSameInEveryMethod) {
  using T = TypeParam;
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  constexpr T infinity = std::numeric_limits<T>::infinity();
  std::vector<T> values = {T{0}, -T{0}, T{0}, T{3}, -infinity, T{1}, infinity, -T{2}};
  values.resize(600, -T{0});
  values[500] = nan;
  for (const Method method : all_methods) {
    for (const Operator op : {Operator::minimum, Operator::maximum}) {
      ScanOptions options;
      options.op = op;
      options.method = method;
      Scanner<T> scanner(test::device(), options);
      test::expect_scan<T>(values, scanner(values), op, false, 0, fmt::format("{} {}", name(op), name(method)));
    }
    ScanOptions options;
    options.method = method;
    Scanner<T> scanner(test::device(), options);
    const auto sums = scanner(values);
    EXPECT_EQ(test::bits_of(sums[0]), test::bits_of(T{0}));
    EXPECT_EQ(test::bits_of(sums[1]), test::bits_of(T{0}));
    EXPECT_EQ(sums[3], T{3});
    EXPECT_EQ(sums[5], -infinity);
    for (std::size_t i = 6; i < sums.size(); ++i) {  // infinities of both signs have met
      ASSERT_EQ(test::bits_of(sums[i]), test::bits_of(nan)) << i;
    }
    const auto zeros = scanner(std::vector<T>(300, -T{0}));
    for (const T zero : zeros) {
      ASSERT_EQ(test::bits_of(zero), test::bits_of(T{0})) << "a sum is never -0";
    }
  }
}

TEST(Scan, SumsOverflowModuloTheType) {
  const std::vector<std::uint32_t> values(70000, 0x80000001U);
  for (const Passes passes : all_passes()) {
    ScanOptions options;
    options.passes = passes;
    Scanner<std::uint32_t> scanner(test::device(), options);
    test::expect_scan<std::uint32_t>(values, scanner(values), Operator::sum, false, 0, "overflow");
  }
}

TEST(Scan, TakesShufflesWhereHLSLHasNoPrefixIntrinsic) {
  ScanOptions options;
  options.op = Operator::minimum;
  options.method = Method::wave_intrinsics;
  const Scan plan = must(Scan::create(test::device(), options));
  EXPECT_EQ(plan.method(), Method::shuffle);
  EXPECT_EQ(plan.method_note(), "HLSL has no prefix intrinsic for 'min'");
}

TEST(Scan, GoesOverItSeveralTimesWhereGroupsAreNotKnownToMakeProgress) {
  test::LimitedDevice limited(test::device(), test::device().info().limits.binding_bytes, 65535);
  limited.features().group_progress = true;
  EXPECT_EQ(must(Scan::create(limited, {})).passes(), Passes::one);
  limited.features().group_progress = false;
  EXPECT_EQ(must(Scan::create(limited, {})).passes(), Passes::several);
}

TEST(Scan, NeedsNo64BitAtomics) {
  test::LimitedDevice limited(test::device(), test::device().info().limits.binding_bytes, 65535);
  limited.features().int64_atomics = false;
  const auto values = random_values<std::uint32_t>(50021);
  Scanner<std::uint32_t> scanner(limited, {});
  test::expect_scan<std::uint32_t>(values, scanner(values), Operator::sum, false, 0, "separate state");
}

TEST(Scan, HasNoBitOperators) {
  ScanOptions options;
  options.op = Operator::bit_xor;
  const auto created = Scan::create(test::device(), options);
  ASSERT_FALSE(created.has_value());
  EXPECT_EQ(created.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(created.error().message, "scans have no operator 'xor': use sum, min or max");
}

// x ↦ slope x + offset, one after the other: pairs of words whose order matters.
TEST(Scan, ByAnOperatorOfTheProgramsOwn) {
  using Pair = std::array<std::uint32_t, 2>;
  const auto words = random_values<std::uint32_t>(std::size_t{2} * 20011);
  Device& device = test::device();
  const auto input = must(device.create_buffer({words.size() * 4, MemoryKind::device}));
  const auto output = must(device.create_buffer({words.size() * 4, MemoryKind::device}));
  must(upload(device, *input, std::as_bytes(std::span(words))));
  for (const Method method : {Method::groupshared, Method::shuffle}) {
    for (const Passes passes : all_passes()) {
      for (const bool exclusive : {false, true}) {
        ScanOptions options;
        options.functor = ScanFunctor{{test::functors(), "scan.affine"}, sizeof(Pair)};
        options.method = method;
        options.passes = passes;
        options.exclusive = exclusive;
        Scan plan = must(Scan::create(device, options));
        const auto list = must(device.create_command_list());
        must(plan.record(*list, *input, 0, words.size() / 2, *output));
        must(run(device, *list));
        std::vector<std::uint32_t> results(words.size());
        must(download(device, *output, std::as_writable_bytes(std::span(results))));
        Pair running = {1, 0};
        for (std::size_t i = 0; i < words.size(); i += 2) {
          const Pair next = {running[0] * words[i], words[i] * running[1] + words[i + 1]};
          const Pair expected = exclusive ? running : next;
          ASSERT_EQ(results[i], expected[0]) << i / 2 << ' ' << name(method);
          ASSERT_EQ(results[i + 1], expected[1]) << i / 2 << ' ' << name(method);
          running = next;
        }
      }
    }
  }
}

// Look-back neither hangs nor errs, whichever group is late.
TEST(Scan, WithGroupsThatAreLate) {
  if (all_passes().front() != Passes::one) {
    GTEST_SKIP() << "no group waits for another here";
  }
  const std::size_t count = test::is_slow() ? 50021 : 1000003;
  const auto values = random_values<std::uint32_t>(count);
  // Tiles by the groups' numbers, and handed out.
  const std::vector<std::pair<bool, bool>> forms = {{true, true}, {true, false}, {false, true}, {false, false}};
  for (const auto& [packed, ordered] : forms) {
    test::LimitedDevice device(test::device(), test::device().info().limits.binding_bytes, 65535);
    device.features().int64_atomics = device.features().int64_atomics && packed;
    device.features().group_order = device.features().group_order && ordered;
    for (const Method method : {Method::groupshared, Method::shuffle}) {
      ScanOptions options;
      options.functor = ScanFunctor{{test::functors(), "scan.delayed"}, 4};
      options.method = method;
      options.passes = Passes::one;
      Scanner<std::uint32_t> scanner(device, options);
      const int times = test::extent(test::is_slow() ? 2 : 5, 200);
      for (int time = 0; time < times; ++time) {
        test::expect_scan<std::uint32_t>(values, scanner(values), Operator::sum, false, 0,
                                         fmt::format("{}, {}, {}, run {}", name(method), packed ? "packed" : "separate",
                                                     ordered ? "by number" : "handed out", time));
      }
    }
  }
}

TEST(Scan, ByAFunctorHasNoIntrinsics) {
  ScanOptions options;
  options.functor = ScanFunctor{{test::functors(), "scan.affine"}, 8};
  options.method = Method::wave_intrinsics;
  const Scan plan = must(Scan::create(test::device(), options));
  EXPECT_EQ(plan.method(), Method::shuffle);
  EXPECT_EQ(plan.method_note(), "HLSL has no prefix intrinsic for operators of a program's own");
  options.functor->element_bytes = 12;
  EXPECT_TRUE(
      test::fails(Scan::create(test::device(), options), ErrorCode::invalid_argument, "only those of 4, 8 or 16"));
}

class ScanRanges : public testing::Test {
 protected:
  Device& device_ = test::device();
  Scan plan_ = must(Scan::create(device_, {}));
  std::unique_ptr<Buffer> buffer_ = must(device_.create_buffer({400, MemoryKind::device}));
  std::unique_ptr<CommandList> list_ = must(device_.create_command_list());

  std::string refusal(std::uint64_t input_offset, std::uint64_t count, std::uint64_t output_offset) {
    const auto recorded = plan_.record(*list_, *buffer_, input_offset, count, *buffer_, output_offset);
    EXPECT_FALSE(recorded.has_value());
    return recorded ? "" : recorded.error().message;
  }
};

TEST_F(ScanRanges, OverlappingButNotTheSameAreRefused) {
  EXPECT_EQ(refusal(0, 50, 4),
            "the input at byte 0 and the output at byte 4 overlap in 200 bytes each: scan in place, or into another "
            "range");
  EXPECT_TRUE(plan_.record(*list_, *buffer_, 0, 50, *buffer_, 200).has_value());
}

TEST_F(ScanRanges, OutsideOfTheBufferAreRefused) {
  EXPECT_EQ(refusal(0, 101, 0),
            "the input range of 101 elements of 4 bytes from byte 0 on does not fit the buffer of "
            "400 bytes");
  EXPECT_EQ(refusal(0, 10, 364),
            "the output range of 10 elements of 4 bytes from byte 364 on does not fit the buffer "
            "of 400 bytes");
  EXPECT_EQ(refusal(2, 10, 0), "the input offset 2 is not a multiple of the element size 4");
}

TEST_F(ScanRanges, CountsOutsideOfTheirBufferAreRefused) {
  const auto recorded = plan_.record_indirect(*list_, *buffer_, 0, *buffer_, 396, 10, *buffer_);
  ASSERT_FALSE(recorded.has_value());
  EXPECT_EQ(recorded.error().message, "the count offset 396 is not a multiple of the element size 8");
}

}  // namespace
}  // namespace crosslane
