#include "measure/exchange.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "measure/exchange_chain.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane::measure {
namespace {

using crosslane::test::device;
using crosslane::test::must;

ExchangeOptions quick() {
  ExchangeOptions options;
  options.threads = {device().info().wave_sizes.standard < 64 ? 64U : 128U};
  options.rounds = {.warm_up = 0, .least = 2, .most = 2};
  options.steps = 32;
  return options;
}

TEST(ExchangedValue, IsWhatEachStepSays) {
  EXPECT_EQ(exchanged_value("up", 8, 0, 3), 3U) << "the first lane keeps its own and adds";
  EXPECT_EQ(exchanged_value("up", 8, 5, 3), 5U) << "three lanes before, and three additions";
  EXPECT_EQ(exchanged_value("down", 8, 7, 2), 9U);
  EXPECT_EQ(exchanged_value("xor", 8, 2, 1), 4U);
  EXPECT_EQ(exchanged_value("rotate", 8, 7, 1), 1U);
  EXPECT_EQ(exchanged_value("load", 8, 7, 10), 1U);
  EXPECT_EQ(exchanged_value("xor", 1, 0, 5), 5U) << "there is no other lane";
}

TEST(MeasureExchange, VerifiesAndMeasuresEveryKind) {
  const Exchange result = must(measure_exchange(device(), quick()));
  ASSERT_EQ(result.rows.size(), exchange_kinds.size());
  EXPECT_TRUE(result.right());
  EXPECT_EQ(result.wave_size, device().info().wave_sizes.standard);
  for (const ExchangeRow& row : result.rows) {
    EXPECT_EQ(row.fault, "") << row.kind;
    EXPECT_TRUE(row.nanoseconds || !row.note.empty()) << row.kind;
  }
  EXPECT_TRUE(result.store_nanoseconds(result.rows[0].threads).has_value());
  EXPECT_FALSE(result.store_nanoseconds(7).has_value());
  const bool has_cycles = result.rows[0].cycles.has_value();
  EXPECT_EQ(result.clock_note.empty(), has_cycles) << result.clock_note;
}

TEST(MeasureExchange, LeavesOutGroupsThatDoNotFit) {
  ExchangeOptions options = quick();
  options.threads = {2048, 48, 0};
  EXPECT_TRUE(must(measure_exchange(device(), options)).rows.empty());
}

TEST(ExchangedValue, TellsTheKindsApartAtEveryWaveSize) {
  constexpr std::uint32_t steps = 21;  // that chains are verified with
  for (const std::uint32_t wave_size : {4U, 8U, 16U, 32U, 64U, 128U}) {
    EXPECT_NE(exchanged_value("up", wave_size, 1, steps), exchanged_value("down", wave_size, 1, steps)) << wave_size;
    EXPECT_NE(exchanged_value("xor", wave_size, 1, steps), exchanged_value("rotate", wave_size, 1, steps));
    EXPECT_NE(exchanged_value("rotate", wave_size, 1, steps), 1 + steps) << "as if nothing had been exchanged";
  }
}

}  // namespace
}  // namespace crosslane::measure
