#include "cli/progress.hpp"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crosslane::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::chrono::milliseconds at_once{0};

struct Streams {
  std::ostringstream out;
  std::ostringstream err;

  [[nodiscard]] Console console(bool terminal, bool json = false) { return {out, err, json, terminal, false}; }
};

// What stands on the terminal's last line.
std::string line_of(const std::string& text) {
  std::string line;
  std::size_t column = 0;
  for (const char character : text) {
    if (character == '\r') {
      column = 0;
    } else if (character == '\b') {
      --column;
    } else {
      line.resize(std::max(line.size(), column + 1), ' ');
      line[column++] = character;
    }
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

TEST(Progress, DrawsABarThatIsGoneAtTheEnd) {
  Streams streams;
  const Console console = streams.console(true);
  {
    Progress progress(console, "reading", 200, at_once);
    progress.advance(50);
    EXPECT_EQ(line_of(streams.err.str()), "crosslane: reading: [=====               ] 25 %");
    progress.advance(500);
    EXPECT_EQ(line_of(streams.err.str()), "crosslane: reading: [====================] 100 %");
  }
  EXPECT_EQ(line_of(streams.err.str()), "");
  EXPECT_THAT(streams.err.str(), Not(HasSubstr("\n")));
}

TEST(Progress, IsSilentInTheFirstSecondAndWithoutATerminalAndWithJson) {
  Streams streams;
  const Console terminal = streams.console(true);
  const Console file = streams.console(false);
  const Console json = streams.console(true, true);
  Progress(terminal, "reading", 2).advance(1);
  Progress(file, "reading", 2, at_once).advance(1);
  Progress(json, "reading", 2, at_once).advance(1);
  EXPECT_EQ(streams.err.str(), "");
}

TEST(Stages, ShareOneBarOnATerminal) {
  Streams streams;
  const Console console = streams.console(true);
  {
    Stages stages(console, 4, at_once);
    stages.begin("a long name");
    stages.at(0.5);
    stages.at(0.25);  // not back
    EXPECT_EQ(line_of(streams.err.str()), "crosslane: a long name: [==                  ] 12 %");
    stages.begin("b");
    EXPECT_EQ(line_of(streams.err.str()), "crosslane: b: [=====               ] 25 %");
    stages.at(7.0);
    EXPECT_EQ(line_of(streams.err.str()), "crosslane: b: [==========          ] 50 %");
  }
  EXPECT_EQ(line_of(streams.err.str()), "");
}

TEST(Stages, AreLinesElsewhere) {
  Streams streams;
  const Console file = streams.console(false);
  const Console json = streams.console(false, true);
  {
    Stages stages(file, 2, at_once);
    stages.begin("measuring reduce");
    stages.at(0.5);
    stages.begin("measuring reduce");
  }
  EXPECT_EQ(streams.err.str(), "crosslane: measuring reduce …\n");
  Stages(json, 2, at_once).begin("measuring reduce");
  EXPECT_THAT(streams.err.str(), EndsWith("reduce …\n")) << "and no more";
}

}  // namespace
}  // namespace crosslane::cli
