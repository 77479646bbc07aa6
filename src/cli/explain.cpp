#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/console.hpp"
#include "cli/verb.hpp"
#include "crosslane/check.hpp"
#include "report/json.hpp"

namespace crosslane::cli {
namespace {

std::string indented(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines += fmt::format("    {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string rule_text(const RuleText& rule) {
  auto text = fmt::format("{}\n\n{}\n", rule.id, rule.rule);
  if (!rule.example.empty()) {
    text += fmt::format("\nBreaks it:\n{}", indented(rule.example));
  }
  return text + fmt::format("\nMend: {}\nRests on: {}.\n", rule.mend, rule.source);
}

report::Json rule_json(const RuleText& rule) {
  return {
      {"id", rule.id}, {"rule", rule.rule}, {"example", rule.example}, {"mend", rule.mend}, {"source", rule.source}};
}

ExitCode run_explain(const std::string& id, const Console& console) {
  const auto* const one = find_rule(id);
  if (!id.empty() && one == nullptr) {
    return report_error(
        console,
        {ErrorCode::invalid_argument, fmt::format("there is no id '{}'; crosslane explain lists them all", id), {}});
  }
  if (console.json) {
    auto json = report::document();
    json["rules"] = report::Json::array();
    for (const auto& rule : rules()) {
      if (one == nullptr || one == &rule) {
        json["rules"].push_back(rule_json(rule));
      }
    }
    console.out << report::dump(json);
  } else if (one != nullptr) {
    console.out << rule_text(*one);
  } else {
    for (const auto& rule : rules()) {
      console.out << rule.id << '\n';
    }
  }
  return ExitCode::well;
}

}  // namespace

Verb add_explain(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand("explain", "Tell the rule behind what `check` finds");
  const auto id = std::make_shared<std::string>();
  parser->add_option("ID", *id, "As check names it, groupshared-race; all are listed if not given");
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  return {parser, [id](const Console& console) { return run_explain(*id, console); }};
}

}  // namespace crosslane::cli
