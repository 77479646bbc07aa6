#include "report/table.hpp"

#include <string>

#include <gmock/gmock.h>
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

TEST(Table, ShowsControlCharacters) {
  Table table({{"a"}, {"b"}});
  table.add({"x\x1B[2J", "two\nlines"});
  EXPECT_EQ(table.text(),
            "a         b\n"
            "--------  ---------\n"
            "x\\x1b[2J  two lines\n");
}

TEST(Table, WrapsTheLastColumnBetweenWords) {
  Table table({{"a"}, {"meaning"}});
  const std::string long_word(60, 'x');
  table.add({"1", long_word + " " + long_word + " y"});
  table.add({"2", "short"});
  EXPECT_EQ(table.text(), "a  meaning\n-  " + std::string(Table::line_width - 3, '-') + "\n1  " + long_word + "\n   " +
                              long_word + " y\n2  short\n");
}

TEST(Table, LeavesALineThatIsTooNarrowToWrapAsItIs) {
  const std::string wide(Table::line_width - 10, 'x');
  Table table({{"a"}, {"b"}});
  table.add({wide, "some words that could be wrapped"});
  EXPECT_THAT(table.text(), testing::HasSubstr(wide + "  some words that could be wrapped\n"));
}

TEST(Table, ShowsItsHeadingWithoutRows) { EXPECT_EQ(Table({{"device"}}).text(), "device\n------\n"); }

}  // namespace
}  // namespace crosslane::report
