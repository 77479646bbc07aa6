// Pages are read by libxml2, which takes nothing that is not well-formed.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "report/measured_document.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"

namespace crosslane::report {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Xml {
 public:
  explicit Xml(const std::string& text)
      : document_(xmlReadMemory(text.data(), static_cast<int>(text.size()), "page", nullptr, XML_PARSE_NONET),
                  xmlFreeDoc) {}

  [[nodiscard]] bool well_formed() const { return document_ != nullptr; }

  /// The texts of all nodes that an XPath expression finds.
  [[nodiscard]] std::vector<std::string> texts(const char* expression) const {
    const std::unique_ptr<xmlXPathContext, decltype(&xmlXPathFreeContext)> context(xmlXPathNewContext(document_.get()),
                                                                                   xmlXPathFreeContext);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libxml2's characters are unsigned
    const std::unique_ptr<xmlXPathObject, decltype(&xmlXPathFreeObject)> found(
        xmlXPathEvalExpression(reinterpret_cast<const xmlChar*>(expression), context.get()), xmlXPathFreeObject);
    std::vector<std::string> texts;
    for (int i = 0; i < xmlXPathNodeSetGetLength(found->nodesetval); ++i) {
      xmlChar* const content = xmlNodeGetContent(xmlXPathNodeSetItem(found->nodesetval, i));
      texts.emplace_back(reinterpret_cast<const char*>(content));  // NOLINT(*-reinterpret-cast): as above
      xmlFree(content);
    }
    return texts;
  }

  [[nodiscard]] std::size_t count(const char* expression) const { return texts(expression).size(); }

 private:
  std::unique_ptr<xmlDoc, decltype(&xmlFreeDoc)> document_;
};

std::string page(const std::vector<Json>& documents) {
  return html(page_of(read_measurements(merge_documents(documents), "x.json").value()));
}

TEST(Html, IsWellFormedAndWhole) {
  const std::string text =
      page({test::bench_document("A", "a"), test::bench_document("B", "b"), test::decide_document("A", "a")});
  EXPECT_THAT(text, StartsWith("<!DOCTYPE html>\n"));
  const Xml xml(text);
  ASSERT_TRUE(xml.well_formed());
  EXPECT_THAT(xml.texts("//main/section/h2/@id"),
              ElementsAre("environment", "times", "comparison", "exchange", "counts", "registers", "decisions"));
  EXPECT_EQ(xml.texts("//nav//a/@href").size(), 7U);
  EXPECT_EQ(xml.texts("//html/@lang"), std::vector<std::string>{"en"});
  EXPECT_EQ(xml.count("//table"), xml.count("//table[caption and thead and tbody]"));
  EXPECT_EQ(xml.count("//thead//th"), xml.count("//thead//th[@scope='col']"));
  EXPECT_EQ(xml.count("//tbody/tr"), xml.count("//tbody/tr[th[@scope='row']]"));
  EXPECT_GE(xml.count("//svg"), 7U);
  EXPECT_EQ(xml.count("//svg"), xml.count("//figure[figcaption]/svg[@role='img' and @aria-labelledby=title/@id]"));
}

TEST(Html, LoadsNothing) {
  const std::string text = page({test::bench_document(), test::decide_document()});
  const Xml xml(text);
  EXPECT_EQ(xml.count("//@src"), 0U);
  EXPECT_THAT(xml.texts("//a/@href"), Each(StartsWith("#")));
  EXPECT_THAT(xml.texts("//link/@href"), ElementsAre("data:,"));
  EXPECT_THAT(text, Not(HasSubstr("http")));
  EXPECT_THAT(text, Not(HasSubstr("url(")));
  EXPECT_THAT(text, Not(HasSubstr("@import")));
}

TEST(Html, NamesEveryIdOnce) {
  const Xml xml(page({test::bench_document(), test::decide_document()}));
  auto ids = xml.texts("//@id");
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

TEST(Html, EscapesNames) {
  const std::string name = "<script>alert('1')</script> & \"GPU\"]]>";
  Json decided = test::decide_document(name);
  decided["decisions"][0]["steps"][0]["found"] = "\x1b[31m<b>\xff";
  const std::string text = page({test::bench_document(name), decided});
  const Xml xml(text);
  ASSERT_TRUE(xml.well_formed());
  EXPECT_EQ(xml.count("//script"), 1U);
  EXPECT_EQ(xml.texts("//section[h2/@id='environment']//tbody/tr/th"), std::vector<std::string>{name});
  EXPECT_THAT(xml.texts("//section[h2/@id='registers']//tbody/tr/td"),
              ElementsAre(name, "not told", "\\x1b[31m<b>\\xff"));
}

TEST(Html, TellsTheNumbersThatTablesAreSortedBy) {
  const Page one{"T", {{"s", "S", {DataTable{"c", {"a", "b"}, {{{"x"}, {"1 ms", 1.25}}, {{"y"}, {"-"}}}}}}}};
  const Xml xml(html(one));
  EXPECT_THAT(xml.texts("//tbody//@data-order"), ElementsAre("1.25", "-Infinity"));
}

TEST(Svg, DrawsBarsInProportion) {
  const BarChart chart{"c", {{"a", {1.0, 0.5, 2.0}, "1"}, {"b", {2.0, 2.0, 2.0}, "2"}, {"c", {NAN, NAN, NAN}, "?"}}};
  const Xml xml(svg(chart, "x"));
  ASSERT_TRUE(xml.well_formed());
  const auto widths = xml.texts("//rect/@width");
  ASSERT_EQ(widths.size(), 2U);
  EXPECT_NEAR(std::stod(widths[0]) * 2, std::stod(widths[1]), 0.05);
  EXPECT_EQ(xml.count("//path[@class='whisker']"), 2U);
  EXPECT_EQ(xml.count("/svg/text"), 6U);
}

TEST(Svg, DrawsLinesWithGaps) {
  const LineChart chart{
      "c", "n", "ms", {"1", "2", "3", "4"}, {{"a<b", {1.0, 2.0, {}, 4.0}}, {"none", {{}, {}, {}, {}}}}};
  const Xml xml(svg(chart, "x"));
  ASSERT_TRUE(xml.well_formed());
  EXPECT_EQ(xml.count("//circle"), 3U);
  const auto paths = xml.texts("//path[starts-with(@class,'line ')]/@d");
  ASSERT_EQ(paths.size(), 3U);  // a line, and one for each name
  EXPECT_EQ(std::ranges::count(paths[0], 'M'), 2);
  EXPECT_EQ(std::ranges::count(paths[0], 'L'), 1);
  // Equal steps are equally high: 1 to 2 is half of 2 to 4.
  const auto heights = xml.texts("//circle/@cy");
  EXPECT_NEAR(2 * (std::stod(heights[0]) - std::stod(heights[1])), std::stod(heights[1]) - std::stod(heights[2]), 0.3);
}

TEST(Svg, DrawsLogarithmsAndNamesBothAxes) {
  // A hundred times as much each time, at places of which the middle one is nearer to the first.
  const LineChart chart{
      "c", "elements", "median ms", {"2^8", "2^10", "2^16"}, {{"a", {0.01, 1.0, 100.0}}}, {8.0, 10.0, 16.0}, true};
  const Xml xml(svg(chart, "x"));
  ASSERT_TRUE(xml.well_formed());
  const auto across = xml.texts("//circle/@cx");
  const auto heights = xml.texts("//circle/@cy");
  ASSERT_EQ(heights.size(), 3U);
  EXPECT_NEAR(std::stod(heights[0]) - std::stod(heights[1]), std::stod(heights[1]) - std::stod(heights[2]), 0.2);
  EXPECT_NEAR(3 * (std::stod(across[1]) - std::stod(across[0])), std::stod(across[2]) - std::stod(across[1]), 0.4);
  const auto texts = xml.texts("/svg/text");
  for (const std::string name : {"elements", "median ms", "0.01", "1", "100", "2^8"}) {
    EXPECT_THAT(texts, testing::Contains(name));
  }
}

TEST(Svg, DrawsChartsOfNothing) {
  for (const std::string& text :
       {svg(BarChart{"c", {}}, "x"), svg(BarChart{"c", {{"a", {}, "0"}}}, "x"),
        svg(LineChart{"c", "n", "ms", {}, {}}, "x"),
        svg(LineChart{"c", "n", "ms", {"1"}, {{"a", {0.0}}, {"b", {INFINITY}}}}, "x"),
        svg(LineChart{"c", "n", "ms", {}, {}, {}, true}, "x"),
        svg(LineChart{"c", "n", "ms", {"1"}, {{"a", {0.0}}, {"b", {-1.0}}}, {0.0}, true}, "x")}) {
    EXPECT_TRUE(Xml(text).well_formed());
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_THAT(text, Not(HasSubstr("inf")));
  }
}

}  // namespace
}  // namespace crosslane::report
