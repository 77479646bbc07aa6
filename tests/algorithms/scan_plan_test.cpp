#include "algorithms/scan_plan.hpp"

#include <gtest/gtest.h>

#include "algorithms/planned_device.hpp"

namespace crosslane {
namespace {

std::string kernel_name(ScalarType type, Operator op, Method method) {
  ScanOptions options;
  options.type = type;
  options.op = op;
  return scan_kernel_name(options, method);
}

TEST(ScanPlan, NamesTheKernels) {
  EXPECT_EQ(kernel_name(ScalarType::i32, Operator::sum, Method::shuffle), "scan.u32.sum.shuffle");
  EXPECT_EQ(kernel_name(ScalarType::i64, Operator::minimum, Method::groupshared), "scan.i64.min.groupshared");
  ScanOptions options;
  options.functor = ScanFunctor{{{}, "scan.affine"}, 8};
  EXPECT_EQ(scan_kernel_name(options, Method::shuffle), "scan.affine.shuffle");
}

TEST(ScanPlan, ChainsGrowWithTilesAndParts) {
  const DeviceInfo device = test::device_of(1U << 20U, 16);
  const auto chain = [&](std::uint64_t count, Method method, std::uint32_t wave_size) {
    return longest_scan_chain(device, ScalarType::f32, count, method, wave_size);
  };
  EXPECT_EQ(chain(0, Method::shuffle, 32), 0U);
  EXPECT_EQ(chain(1, Method::shuffle, 32), 0U);
  EXPECT_LT(chain(scan_tile(4), Method::shuffle, 32), chain(2 * scan_tile(4), Method::shuffle, 32));
  EXPECT_LT(chain(1000, Method::shuffle, 64), chain(1000, Method::wave_intrinsics, 64))
      << "an intrinsic may go lane by lane";
}

}  // namespace
}  // namespace crosslane
