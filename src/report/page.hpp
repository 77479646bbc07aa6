// What a report shows, whatever it is written as: sections of text, tables and charts.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "report/measurements.hpp"

namespace crosslane::report {

struct Cell {
  std::string text;
  std::optional<double> number = {};  ///< what the text says, to sort by; nothing where it is no number
};

/// The first cell of each row names it.
struct DataTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  ///< of as many cells as there are columns
};

/// Medians side by side, with their intervals. Their numbers stand in a table too.
struct BarChart {
  struct Row {
    std::string name;
    Estimate value;    ///< drawn where it is finite and not negative
    std::string text;  ///< behind the bar
  };
  std::string caption;
  std::vector<Row> rows;
};

/// A line for each series over places. Its numbers stand in a table too.
struct LineChart {
  struct Series {
    std::string name;
    std::vector<std::optional<double>> values;  ///< for each place; nothing where none was measured
  };
  std::string caption;
  std::string across;               ///< what the places are
  std::string upward;               ///< what the values are
  std::vector<std::string> places;  ///< from left to right
  std::vector<Series> series;
  /// Where the places lie, rising; empty: at equal distances.
  std::vector<double> positions = {};
  /// Values are drawn by their logarithms; those that are not above 0 are not.
  bool logarithmic = false;
};

struct Heading {
  std::string text;
};

struct Paragraph {
  std::string text;
};

using Block = std::variant<Heading, Paragraph, DataTable, BarChart, LineChart>;

struct PageSection {
  std::string id;  ///< a word that names it in links
  std::string title;
  std::vector<Block> blocks;
};

struct Page {
  std::string title;
  std::vector<PageSection> sections;
};

/// The page for what was measured; sections without anything to show are left out.
Page page_of(const Measurements& measurements);

/// One self-contained page, which is well-formed XML too: no network, light and dark, printable, its tables sortable
/// where scripts run.
std::string html(const Page& page);

/// The same without its charts, whose numbers stand in the tables.
std::string markdown(const Page& page);

}  // namespace crosslane::report
