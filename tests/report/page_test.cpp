// Which sections a page has, and what stands in them.
#include "report/page.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/measured_document.hpp"

namespace crosslane::report {
namespace {

using testing::ElementsAre;

Page page(const std::vector<Json>& documents) {
  return page_of(read_measurements(merge_documents(documents), "x.json").value());
}

std::vector<std::string> ids(const Page& page) {
  std::vector<std::string> names;
  for (const auto& section : page.sections) {
    names.push_back(section.id);
  }
  return names;
}

template <typename Kind>
std::vector<Kind> blocks(const Page& page, const std::string& id) {
  std::vector<Kind> found;
  const auto section = std::ranges::find(page.sections, id, &PageSection::id);
  for (const Block& block : section == page.sections.end() ? std::vector<Block>{} : section->blocks) {
    if (const auto* const one = std::get_if<Kind>(&block)) {
      found.push_back(*one);
    }
  }
  return found;
}

std::vector<std::string> texts(const std::vector<Cell>& row) {
  std::vector<std::string> all;
  all.reserve(row.size());
  for (const Cell& cell : row) {
    all.push_back(cell.text);
  }
  return all;
}

TEST(Page, HasTheSectionsThatWereMeasured) {
  EXPECT_THAT(ids(page({test::bench_document(), test::decide_document()})),
              ElementsAre("environment", "times", "exchange", "counts", "registers", "decisions"));
  EXPECT_THAT(ids(page({test::decide_document()})), ElementsAre("environment", "registers", "decisions"));
  EXPECT_TRUE(page_of({}).sections.empty());
}

TEST(Page, ShowsTimesAsTableAndBars) {
  const Page all = page({test::bench_document()});
  const auto table = blocks<DataTable>(all, "times").at(0);
  EXPECT_THAT(texts(table.rows.at(1)), ElementsAre("shuffle", "0.01848 (0.0183 to 0.01866)", "1 (1 to 1)", "3429", "-",
                                                   "-", "89.3 % (89.1 % to 89.5 %)", "1", "2", "0", "-"));
  EXPECT_EQ(table.rows.at(1).at(1).number, 0.01848);
  const auto chart = blocks<BarChart>(all, "times").at(0);
  ASSERT_EQ(chart.rows.size(), 3U);
  EXPECT_EQ(chart.rows[2].name, "memory");
  EXPECT_EQ(chart.rows[2].value.median, 0.01749);
}

// Reductions of 256, 4096 and 2^24 elements, in no order; the middle one by one method alone.
Json document_of_sizes() {
  Json json = test::bench_document();
  Json& benchmarks = json["runs"][0]["benchmarks"];
  Json middle = benchmarks[0];
  middle["count"] = 4096;
  middle["methods"] = {test::method("groupshared", 0.002)};
  Json small = benchmarks[0];
  small["count"] = 256;
  small["methods"] = {test::method("groupshared", 0.0015), test::method("shuffle", 0.001)};
  benchmarks.push_back(middle);
  benchmarks.push_back(small);
  return json;
}

TEST(Page, ShowsHowTimesGrowWithTheSize) {
  const Page all = page({document_of_sizes()});
  EXPECT_THAT(ids(all), testing::IsSupersetOf({"times", "scaling"}));
  const auto charts = blocks<LineChart>(all, "scaling");
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_TRUE(charts[0].logarithmic);
  EXPECT_EQ(charts[0].across, "elements");
  EXPECT_EQ(charts[0].upward, "median ms");
  EXPECT_THAT(charts[0].places, ElementsAre("2^8", "2^12", "2^24"));
  EXPECT_THAT(charts[0].positions, ElementsAre(8.0, 12.0, 24.0));
  ASSERT_EQ(charts[0].series.size(), 3U);
  EXPECT_EQ(charts[0].series[1].name, "shuffle");
  EXPECT_THAT(charts[0].series[1].values, ElementsAre(0.001, std::nullopt, 0.01848));
  EXPECT_EQ(charts[0].series[2].name, "memory");
  const auto table = blocks<DataTable>(all, "scaling").at(0);
  EXPECT_EQ(table.rows.size(), 8U);
  EXPECT_EQ(table.rows.at(1).at(0).text, "256");
  EXPECT_EQ(table.rows.at(1).at(2).text, "0.001 (0.00099 to 0.00101)");
  // The section of times shows the largest.
  EXPECT_EQ(blocks<DataTable>(all, "times").size(), 1U);
}

TEST(Page, ComparesDevicesAtTheLargestSizeThatBothHave) {
  Json other = test::bench_document("B", "b");
  other["runs"][0]["benchmarks"][0]["count"] = 4096;
  const auto charts = blocks<BarChart>(page({document_of_sizes(), other}), "comparison");
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_THAT(charts[0].caption, testing::HasSubstr("n = 4096"));
}

TEST(Page, ShowsWhatWasNotTimed) {
  Json json = test::bench_document();
  Json& method = json["runs"][0]["benchmarks"][0]["methods"][0];
  method["time_ms"] = nullptr;
  method["fault"] = "the sum is wrong";
  const Page all = page({json});
  EXPECT_EQ(blocks<BarChart>(all, "times").at(0).rows.size(), 2U);
  EXPECT_EQ(blocks<DataTable>(all, "times").at(0).rows.at(0).back().text, "the sum is wrong");
}

TEST(Page, ShowsExchangesAsLines) {
  const auto charts = blocks<LineChart>(page({test::bench_document()}), "exchange");
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_THAT(charts[0].places, ElementsAre("32", "64"));
  EXPECT_EQ(charts[0].series.at(1).name, "groupshared");
  EXPECT_THAT(charts[0].series.at(1).values, ElementsAre(28.0, 36.7));
  EXPECT_EQ(charts[1].series.at(0).name, "fft_shuffle");
}

TEST(Page, ShowsCountsForEachElement) {
  const auto table = blocks<DataTable>(page({test::bench_document()}), "counts").at(0);
  EXPECT_THAT(texts(table.rows.at(0)),
              ElementsAre("reduce", "shuffle", "16", "1000", "7", "0.5", "4", "5", "2", "2", "-"));
}

TEST(Page, PutsDevicesSideBySide) {
  const Page all = page({test::bench_document("A", "a"), test::bench_document("B", "b")});
  const auto table = blocks<DataTable>(all, "comparison").at(0);
  EXPECT_THAT(table.columns, ElementsAre("work", "method", "A, 32 lanes, cold, ms", "B, 32 lanes, cold, ms"));
  EXPECT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(blocks<BarChart>(all, "comparison").at(0).rows.size(), 4U);
  EXPECT_EQ(blocks<DataTable>(all, "environment").at(0).rows.size(), 2U);
}

TEST(Page, PutsWaveSizesSideBySide) {
  Json other = test::bench_document();
  other["runs"][0]["wave_size"] = 64;
  const auto table = blocks<DataTable>(page({test::bench_document(), other}), "wave-sizes").at(0);
  EXPECT_THAT(table.columns, ElementsAre("work", "method", "32 lanes, cold, ms", "64 lanes, cold, ms"));
}

TEST(Page, ShowsTheStepsOfDecisions) {
  const Page all = page({test::decide_document()});
  EXPECT_THAT(texts(blocks<DataTable>(all, "decisions").at(0).rows.at(0)),
              ElementsAre("reduce", "NVIDIA H200", "groupshared", "5.9 % (5.7 % to 6.2 %)", "20.0 %",
                          "the gain is below the threshold"));
  EXPECT_THAT(texts(blocks<DataTable>(all, "decisions").at(1).rows.at(1)),
              ElementsAre("gain", "failed", "5.9 %", "the interval is below"));
  EXPECT_THAT(texts(blocks<DataTable>(all, "registers").at(0).rows.at(0)),
              ElementsAre("reduce", "NVIDIA H200", "not told", "28 registers"));
}

// Rows have as many cells as their table has columns.
TEST(Page, HasWholeTables) {
  const Page all = page(
      {test::bench_document("A", "a"), test::bench_document("B", "b"), test::decide_document(), document_of_sizes()});
  for (const auto& section : all.sections) {
    for (const auto& table : blocks<DataTable>(all, section.id)) {
      for (const auto& row : table.rows) {
        EXPECT_EQ(row.size(), table.columns.size()) << table.caption;
      }
    }
  }
}

}  // namespace
}  // namespace crosslane::report
