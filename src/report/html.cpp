#include <limits>

#include <fmt/format.h>

#include "report/page.hpp"
#include "report/svg.hpp"

namespace crosslane::report {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --back: #fff; --ink: #1b1f24; --dim: #57606a; --edge: #d0d7de; --bar: #4682b4;
  --c0: #1f6feb; --c1: #bc4c00; --c2: #1a7f37; --c3: #8250df; --c4: #cf222e;
  --c5: #0a7ea4; --c6: #9a6700; --c7: #bf3989; --c8: #4d5560; --c9: #116329; }
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --ink: #e6edf3; --dim: #9da7b3; --edge: #3d444d; --bar: #4f8fc4;
    --c0: #58a6ff; --c1: #f0883e; --c2: #3fb950; --c3: #bc8cff; --c4: #ff7b72;
    --c5: #39c5cf; --c6: #d29922; --c7: #f778ba; --c8: #b1bac4; --c9: #7ee787; } }
body { background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 72rem; padding: 0 1rem 3rem; }
a { color: var(--c0); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; list-style: none; padding: 0; }
h2 { border-bottom: 1px solid var(--edge); margin-top: 2.5rem; }
h3 { margin: 2rem 0 0.5rem; overflow-wrap: anywhere; }
figure { margin: 1rem 0; max-width: 52rem; }
figcaption, caption { color: var(--dim); text-align: left; }
svg { display: block; height: auto; width: 100%; }
svg text { fill: var(--ink); font-size: 13px; }
.scroll { margin: 1rem 0; overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--edge); padding: 0.25rem 0.75rem 0.25rem 0; text-align: left;
  vertical-align: top; }
[data-order] { white-space: nowrap; }
tbody th { font-weight: 600; }
th button { background: none; border: 0; color: inherit; cursor: pointer; font: inherit; padding: 0; text-align: left; }
th[aria-sort=ascending] button::after { content: " \2191"; }
th[aria-sort=descending] button::after { content: " \2193"; }
.bar { fill: var(--bar); }
.whisker { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.axis { stroke: var(--edge); }
.line { fill: none; stroke-width: 2; }
@media print {
  :root { color-scheme: light; --back: #fff; --ink: #000; --dim: #333; --edge: #999; --bar: #999; }
  nav { display: none; }
  body { max-width: none; }
  .scroll { overflow: visible; }
  table { font-size: 0.6rem; }
  figure, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
)";

// Free of what XML would take for markup.
constexpr const char* script = R"(
document.querySelectorAll("table").forEach((table) => {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const key = (row) => row.cells[column].dataset.order ?? row.cells[column].textContent;
    const compare = (a, b) => {
      const [x, y] = [Number(a), Number(b)];
      return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x === y ? 0 : x - y;
    };
    button.addEventListener("click", () => {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", sign === 1 ? "ascending" : "descending");
      const rows = Array.from(table.tBodies[0].rows);
      rows.sort((a, b) => sign * compare(key(a), key(b)));
      table.tBodies[0].append(...rows);
    });
  });
});
)";

std::string line_styles() {
  std::string text;
  for (std::size_t i = 0; i < line_colors; ++i) {
    text += fmt::format(".line-{0} {{ stroke: var(--c{0}); }} .point-{0} {{ fill: var(--c{0}); }}\n", i);
  }
  return text;
}

// What a cell is sorted by; in a column of numbers that is what comes first where a number is missing.
std::string order(const DataTable& table, const std::vector<Cell>& row, std::size_t column) {
  if (row[column].number) {
    return fmt::format(" data-order=\"{}\"", *row[column].number);
  }
  for (const auto& other : table.rows) {
    if (other[column].number) {
      return " data-order=\"-Infinity\"";
    }
  }
  return "";
}

class Writer {
 public:
  void operator()(const Heading& heading) { text_ += fmt::format("<h3>{}</h3>\n", escaped(heading.text)); }

  void operator()(const Paragraph& paragraph) { text_ += fmt::format("<p>{}</p>\n", escaped(paragraph.text)); }

  void operator()(const DataTable& table) {
    // The keyboard can scroll what has the focus.
    text_ += fmt::format(
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\n<table>\n<caption>{0}</caption>\n"
        "<thead><tr>",
        escaped(table.caption));
    for (const std::string& column : table.columns) {
      text_ += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
    }
    text_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      text_ += "<tr>";
      for (std::size_t column = 0; column < row.size(); ++column) {
        const std::string element = column == 0 ? "th" : "td";
        text_ += fmt::format("<{0}{1}{2}>{3}</{0}>", element, column == 0 ? " scope=\"row\"" : "",
                             order(table, row, column), escaped(row[column].text));
      }
      text_ += "</tr>\n";
    }
    text_ += "</tbody>\n</table>\n</div>\n";
  }

  void operator()(const BarChart& chart) { add_chart(chart); }
  void operator()(const LineChart& chart) { add_chart(chart); }

  void section(const PageSection& section) {
    text_ +=
        fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n", section.id, escaped(section.title));
    for (const Block& block : section.blocks) {
      std::visit(*this, block);
    }
    text_ += "</section>\n";
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  template <typename Chart>
  void add_chart(const Chart& chart) {
    text_ += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", escaped(chart.caption),
                         svg(chart, fmt::format("chart-{}", ++charts_)));
  }

  std::string text_;
  std::size_t charts_ = 0;
};

}  // namespace

std::string html(const Page& page) {
  Writer writer;
  std::string links;
  for (const PageSection& section : page.sections) {
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, escaped(section.title));
    writer.section(section);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<link rel=\"icon\" href=\"data:,\"/>\n<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n"
      "<header>\n<h1>{0}</h1>\n</header>\n<nav aria-label=\"Sections\">\n<ul>\n{3}</ul>\n</nav>\n<main>\n{4}</main>\n"
      "<script>{5}</script>\n</body>\n</html>\n",
      escaped(page.title), style, line_styles(), links, writer.text(), script);
}

}  // namespace crosslane::report
