// The wave machine keeps every promise, at every wave size.
#include <set>

#include <gtest/gtest.h>

#include "crosslane/machine.hpp"
#include "support/expected.hpp"
#include "verify/conformance.hpp"

namespace crosslane {
namespace {

TEST(MachineConformance, EveryPromiseIsKeptAtEveryWaveSize) {
  const auto device = test::must(machine::create_device());
  const auto report = test::must(verify(*device));
  std::set<std::uint32_t> sizes;
  for (const auto& promise : report.promises) {
    EXPECT_TRUE(promise.kept) << promise.name << " at " << promise.wave_size << " lanes: " << promise.detail;
    sizes.insert(promise.wave_size);
  }
  EXPECT_EQ(sizes, (std::set<std::uint32_t>{1, 2, 4, 8, 16, 32, 64, 128}));
}

}  // namespace
}  // namespace crosslane
