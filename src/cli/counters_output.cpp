#include "cli/counters_output.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "report/table.hpp"

namespace crosslane::cli {
namespace {

// One line: what was counted, how often in all, by how many lanes, and per thread.
struct Line {
  std::string what;
  std::string key;
  std::uint64_t total = 0;
  std::uint64_t lanes = 0;
};

void add_traffic(std::vector<Line>& lines, const std::string& what, const std::string& key,
                 const machine::Traffic& traffic) {
  lines.push_back({what, key, traffic.accesses, traffic.accesses});
  lines.push_back({what + ", bytes", key + "_bytes", traffic.bytes, traffic.bytes});
}

std::vector<Line> lines_of(const machine::Counts& counts) {
  std::vector<Line> lines;
  const auto total = counts.total();
  lines.push_back({"instructions", "instructions", total.waves, total.lanes});
  for (const auto& [family, count] : counts.instructions) {
    auto key = std::string(name(family));
    std::ranges::replace(key, ' ', '_');
    lines.push_back({fmt::format("  {}", name(family)), "instructions_" + key, count.waves, count.lanes});
  }
  for (const auto& [kind, count] : counts.shuffles) {
    lines.push_back({fmt::format("  wave: {}", kind), "cross_lane_" + kind, count.waves, count.lanes});
  }
  add_traffic(lines, "groupshared reads", "groupshared_reads", counts.groupshared_reads);
  add_traffic(lines, "groupshared writes", "groupshared_writes", counts.groupshared_writes);
  add_traffic(lines, "groupshared atomics", "groupshared_atomics", counts.groupshared_atomics);
  add_traffic(lines, "buffer reads", "buffer_reads", counts.buffer_reads);
  add_traffic(lines, "buffer writes", "buffer_writes", counts.buffer_writes);
  add_traffic(lines, "buffer atomics", "buffer_atomics", counts.buffer_atomics);
  lines.push_back({"barriers", "barriers", counts.barriers, counts.barriers});
  lines.push_back({"divergent branches", "divergent_branches", counts.divergent_branches, counts.divergent_branches});
  return lines;
}

double per_thread(const Line& line, const machine::Counts& counts) {
  return counts.threads == 0 ? 0 : static_cast<double>(line.lanes) / static_cast<double>(counts.threads);
}

}  // namespace

std::string counters_text(const machine::Counts& counts) {
  using report::Align;
  report::Table table({{"counted", Align::left},
                       {"per dispatch", Align::right},
                       {"by lanes", Align::right},
                       {"per thread", Align::right}});
  for (const auto& line : lines_of(counts)) {
    table.add({line.what, fmt::format("{}", line.total), fmt::format("{}", line.lanes),
               fmt::format("{:.3f}", per_thread(line, counts))});
  }
  return fmt::format("counters of {} thread groups, {} threads; instructions and barriers count once per wave\n{}",
                     counts.groups, counts.threads, table.text());
}

report::Json counters_json(const machine::Counts& counts) {
  report::Json json = {{"groups", report::exact(counts.groups)}, {"threads", report::exact(counts.threads)}};
  for (const auto& line : lines_of(counts)) {
    json[line.key] = {{"total", report::exact(line.total)},
                      {"lanes", report::exact(line.lanes)},
                      {"per_thread", per_thread(line, counts)}};
  }
  return json;
}

}  // namespace crosslane::cli
