// How the runs by one method or several are told: a table with a row for each, or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/method_run.hpp"
#include "report/json.hpp"
#include "report/table.hpp"

namespace crosslane::cli {

/// A row for each run: the method, one thing of the algorithm's own, the time, the rate for `bytes` bytes, the note.
class MethodTable {
 public:
  MethodTable(report::Column own, std::uint64_t bytes);

  void add(const MethodOutcome& outcome, std::string own);
  [[nodiscard]] std::string text() const { return table_.text(); }

 private:
  report::Table table_;
  std::uint64_t bytes_;
};

/// An empty line, and whether the methods agree; nothing where there was one only.
std::string agreement_text(std::size_t methods, bool agree);

/// A run; `key` and `own` are the one thing of the algorithm's own.
report::Json method_json(const MethodOutcome& outcome, std::string_view key, const report::Json& own);

/// "one", "several"; nothing where nothing ran.
std::optional<std::string> passes_name(std::optional<Passes> passes);

/// Table and agreement of works that go over their array in passes.
template <typename Outcome>
std::string passes_text(const MethodRuns<Outcome>& runs, std::uint64_t bytes) {
  MethodTable table({"passes"}, bytes);
  for (const Outcome& outcome : runs.outcomes) {
    table.add(outcome, passes_name(outcome.passes).value_or("-"));
  }
  return table.text() + agreement_text(runs.outcomes.size(), runs.agree);
}

/// Adds "methods" and "agree".
template <typename Outcome>
void add_passes(report::Json& json, const MethodRuns<Outcome>& runs) {
  json["methods"] = report::Json::array();
  for (const Outcome& outcome : runs.outcomes) {
    const auto passes = passes_name(outcome.passes);
    json["methods"].push_back(method_json(outcome, "passes", passes ? report::Json(*passes) : report::Json()));
  }
  json["agree"] = runs.agree;
}

}  // namespace crosslane::cli
