#include "cli/measure_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane::cli {
namespace {

using test::fails;
using test::must;
using testing::ElementsAre;

TEST(ParseSizes, TakesListsPowersAndRanges) {
  EXPECT_THAT(must(parse_sizes("4096,256,256")), ElementsAre(256, 4096));
  EXPECT_THAT(must(parse_sizes("2^8")), ElementsAre(256));
  EXPECT_THAT(must(parse_sizes("2^8..2^12")), ElementsAre(256, 1024, 4096));
  EXPECT_THAT(must(parse_sizes("100..1000")), ElementsAre(100, 400, 1000)) << "the last is there too";
  EXPECT_THAT(must(parse_sizes("2^32,7..7")), ElementsAre(7, std::uint64_t{1} << 32U));
}

TEST(ParseSizes, RefusesAnythingElse) {
  for (const char* const text :
       {"", ",", "0", "2^33", "5000000000", "2^", "x", "1,", "1 ,2", "8..4", "..4", "4..", "-1", "1..2..3", "1e3"}) {
    EXPECT_TRUE(fails(parse_sizes(text), ErrorCode::invalid_argument, "is no list of sizes")) << text;
  }
}

TEST(TypeNote, TellsOfAlgorithmsWithoutTheType) {
  MeasureFlags flags;
  flags.type = "i64";
  for (const measure::MeasuredAlgorithm& algorithm : measure::measured_algorithms()) {
    const bool has = algorithm.takes(ScalarType::i64);
    const std::string name(algorithm.name);
    EXPECT_EQ(must(type_note(flags, "all", algorithm)), has ? "" : name + " is measured of f32: it has no i64");
    if (!has) {
      EXPECT_TRUE(fails(type_note(flags, name, algorithm), ErrorCode::invalid_argument, "--type i64: " + name));
    }
    // The note is true.
    EXPECT_EQ(flags.workload(algorithm).type.has_value(), has);
  }
}

}  // namespace
}  // namespace crosslane::cli
