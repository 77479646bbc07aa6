#include "report/table.hpp"

#include <gtest/gtest.h>

namespace crosslane::report {
namespace {

TEST(Table, AlignsColumnsAndLeavesNoTrailingBlanks) {
  Table table({{"method"}, {"value", Align::right}, {"note"}});
  table.add({"shuffle", "7", ""});
  table.add({"groupshared", "123456", "slow"});
  EXPECT_EQ(table.text(),
            "method        value  note\n"
            "-----------  ------  ----\n"
            "shuffle           7\n"
            "groupshared  123456  slow\n");
}

TEST(Table, CountsCharactersRatherThanBytes) {
  Table table({{"µ", Align::right}, {"x"}});
  table.add({"αβγ", "1"});
  table.add({"ab", "2"});
  EXPECT_EQ(table.text(),
            "  µ  x\n"
            "---  -\n"
            "αβγ  1\n"
            " ab  2\n");
}

TEST(Table, FillsMissingCellsAndDropsExtraOnes) {
  Table table({{"a"}, {"b"}});
  table.add({"1"});
  table.add({"1", "2", "3"});
  EXPECT_EQ(table.text(),
            "a  b\n"
            "-  -\n"
            "1\n"
            "1  2\n");
}

TEST(Table, ShowsItsHeadingWithoutRows) { EXPECT_EQ(Table({{"device"}}).text(), "device\n------\n"); }

}  // namespace
}  // namespace crosslane::report
