#include "measure/counts.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::measure {
namespace {

using crosslane::test::must;

std::vector<std::uint64_t> strided(std::uint64_t words, std::uint64_t lanes = 32) {
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    addresses.push_back(lane * words * 4);
  }
  return addresses;
}

TEST(BankUse, CountsTheLanesThatWaitForEachOther) {
  EXPECT_EQ(bank_use(strided(1)).turns, 1U);
  EXPECT_EQ(bank_use(strided(2)).turns, 2U);
  EXPECT_EQ(bank_use(strided(32)).turns, 32U);
  EXPECT_EQ(bank_use(strided(33)).turns, 1U) << "padding helps";
  EXPECT_EQ(bank_use(strided(0)).turns, 1U) << "one word for all is broadcast";
  EXPECT_EQ(bank_use({}).turns, 0U);
  const BankUse pairs = bank_use(strided(1, 64));  // two words for each of 32 lanes
  EXPECT_EQ(pairs.turns, 2U);
  EXPECT_EQ(pairs.conflict_factor(), 1.0);
  EXPECT_EQ(bank_use(strided(2)).conflict_factor(), 2.0);
}

const CountRow& row_of(const std::vector<CountRow>& rows, Method method, std::uint32_t wave_size) {
  return *std::ranges::find_if(rows,
                               [&](const CountRow& row) { return row.method == method && row.wave_size == wave_size; });
}

TEST(CountAlgorithm, SaysWhatAnEightPointTransformTakes) {
  // What docs/fft.md says of one: 16 accesses for each exchange of 8 points, 3 barriers, against 4 shuffles a thread.
  const auto rows = must(count_algorithm(measured_algorithms()[3], {.count = 512, .points = 8}, {32, 64}));
  ASSERT_EQ(rows.size(), 4U);
  for (const std::uint32_t wave_size : {32U, 64U}) {
    const CountRow& groupshared = row_of(rows, Method::groupshared, wave_size);
    EXPECT_EQ(groupshared.note, "");
    EXPECT_EQ(groupshared.groupshared_accesses(), 64U * 32U);
    EXPECT_EQ(groupshared.counts.barriers, 3 * groupshared.waves());
    EXPECT_EQ(groupshared.waves(), 256 / wave_size);
    EXPECT_EQ(groupshared.shuffles(), 0U);
    EXPECT_EQ(groupshared.banks.conflict_factor(), 1.0) << "places are spread over the banks";
    const CountRow& shuffle = row_of(rows, Method::shuffle, wave_size);
    EXPECT_EQ(shuffle.groupshared_accesses(), 0U);
    EXPECT_EQ(shuffle.counts.barriers, 0U);
    EXPECT_EQ(shuffle.shuffles(), 64U * 16U);
    EXPECT_EQ(shuffle.banks.conflict_factor(), 1.0);
  }
}

TEST(CountAlgorithm, HasFewerBarriersByShufflesTheMoreLanesThereAre) {
  const auto rows = must(count_algorithm(measured_algorithms()[0], {.count = 4096}, {16, 64}));
  EXPECT_LT(row_of(rows, Method::shuffle, 16).counts.barriers, row_of(rows, Method::groupshared, 16).counts.barriers);
  EXPECT_LT(row_of(rows, Method::shuffle, 64).groupshared_accesses(),
            row_of(rows, Method::shuffle, 16).groupshared_accesses());
  EXPECT_GE(row_of(rows, Method::shuffle, 64).counts.buffer_reads.bytes, 4096U * 4U) << "each element";
}

}  // namespace
}  // namespace crosslane::measure
