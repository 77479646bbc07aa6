#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page.hpp"

namespace crosslane::report {
namespace {

TEST(Markdown, WritesTablesAndText) {
  const Page page{"Title",
                  {{"one", "First", {Heading{"part"}, DataTable{"caption", {"a", "b"}, {{{"x"}, {"1", 1.0}}}}}},
                   {"two", "Second", {Paragraph{"text"}, BarChart{"left out", {}}}}}};
  EXPECT_EQ(markdown(page),
            "# Title\n\n## First\n\n### part\n\ncaption:\n\n| a | b |\n|---|---|\n| x | 1 |\n\n## Second\n\ntext\n");
}

TEST(Markdown, EscapesWhatMeansSomething) {
  const Page page{"T", {{"one", "S", {Paragraph{"a|b <i>_c_</i> & `d` [e](f) *g*\n# h"}}}}};
  EXPECT_EQ(markdown(page), "# T\n\n## S\n\na\\|b \\<i\\>\\_c\\_\\</i\\> \\& \\`d\\` \\[e\\](f) \\*g\\*\\\\x0a\\# h\n");
}

TEST(Markdown, OfNothingIsATitle) { EXPECT_EQ(markdown({"T", {}}), "# T\n"); }

}  // namespace
}  // namespace crosslane::report
