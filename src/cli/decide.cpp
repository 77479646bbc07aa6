#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/bench_output.hpp"
#include "cli/console.hpp"
#include "cli/decide.hpp"
#include "cli/decide_evidence.hpp"
#include "cli/decision_store.hpp"
#include "cli/percent.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"
#include "report/printable.hpp"
#include "report/table.hpp"

namespace crosslane::cli {
namespace {

struct DecideFlags {
  std::string what = "all";
  std::string threshold = "20%";
  MeasureFlags measure;
  PairFlags pair;
  bool list = false;
  bool forget = false;
};

/// One decision, and what it was made for.
struct Decided {
  DeviceInfo device;
  std::string algorithm;
  std::string title;
  measure::Decision decision;
  std::string default_method;
  bool stored = false;
};

bool is_meant(const DecideFlags& flags, std::string_view algorithm) {
  return flags.what == "all" || flags.what == algorithm;
}

// Of GPUs alone: on other devices times say nothing of any other day.
bool worth_storing(const Decided& one) { return one.device.kind == DeviceKind::gpu && one.algorithm != "pair"; }

StoredDecision stored_form(const Decided& one) {
  StoredDecision stored;
  stored.device_uuid = one.device.uuid;
  stored.device_name = one.device.name;
  stored.driver_version = one.device.driver_version;
  stored.wave_size = one.device.wave_sizes.standard;
  stored.algorithm = one.algorithm;
  stored.answer = measure::name(one.decision.answer);
  stored.reason = one.decision.reason;
  stored.threshold = one.decision.threshold;
  if (one.decision.gain) {
    stored.gain = one.decision.gain->median;
  }
  stored.made = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::now()));
  stored.crosslane = version();
  return stored;
}

Decided decide_one(const DeviceInfo& device, std::string algorithm, const measure::Benchmark& benchmark,
                   measure::DecisionFacts facts, double threshold) {
  facts.threshold = threshold;
  return {device, std::move(algorithm), benchmark.title, measure::decide(facts), facts.default_method, false};
}

Expected<std::vector<Decided>> decide_on(Device& device, const DecideFlags& flags, double threshold,
                                         const Console& console) {
  std::vector<Decided> decided;
  measure::Benchmark benchmark;
  if (flags.pair.given()) {
    return gather_facts(device, flags.pair, flags.measure, console, benchmark)
        .map([&](const measure::DecisionFacts& facts) {
          decided.push_back(decide_one(device.info(), "pair", benchmark, facts, threshold));
          return std::move(decided);
        });
  }
  for (const measure::MeasuredAlgorithm& algorithm : measure::measured_algorithms()) {
    if (!is_meant(flags, algorithm.name)) {
      continue;
    }
    const auto facts = gather_facts(device, algorithm, flags.measure, console, benchmark);
    if (!facts) {
      return tl::unexpected(facts.error());
    }
    decided.push_back(decide_one(device.info(), std::string(algorithm.name), benchmark, *facts, threshold));
  }
  return decided;
}

Expected<void> store_all(std::vector<Decided>& decided, const Console& console) {
  if (std::ranges::none_of(decided, worth_storing)) {
    return {};
  }
  StoredDecisions decisions = stored_decisions(console);
  for (Decided& one : decided) {
    if (worth_storing(one)) {
      decisions.put(stored_form(one));
      one.stored = true;
    }
  }
  return store_decisions(decisions);
}

std::string passed_text(std::optional<bool> passed) { return !passed ? "not told" : *passed ? "passed" : "FAILED"; }

std::string decided_text(const std::vector<Decided>& decided) {
  std::string text;
  for (const Decided& one : decided) {
    text += fmt::format("{}: {}, on {}: {}, driver {}, {} lanes per wave\n", one.algorithm,
                        report::printable(one.title), one.device.id, report::printable(one.device.name),
                        report::printable(one.device.driver_version), one.device.wave_sizes.standard);
    report::Table table({{"step"}, {"outcome"}, {"found"}, {"why"}});
    for (const measure::DecisionStep& step : one.decision.steps) {
      table.add({step.name, passed_text(step.passed), step.found, step.reason});
    }
    text += table.text();
    text +=
        fmt::format("decision: {}\n  {}\n", measure::name(one.decision.answer), report::printable(one.decision.reason));
    text += one.stored ? fmt::format("stored in {}\n", report::printable(decision_file().string()))
                       : std::string("not stored: ") +
                             (one.device.kind != DeviceKind::gpu
                                  ? "the device computes on the processor, and its times say nothing of a GPU\n"
                                  : "it is for two shaders of yours\n");
    text += '\n';
  }
  return text;
}

report::Json decided_json(const Decided& one) {
  report::Json json;
  json["algorithm"] = one.algorithm;
  json["title"] = one.title;
  json["device"] = report::device_summary(one.device);
  json["decision"] = measure::name(one.decision.answer);
  json["reason"] = one.decision.reason;
  json["default_method"] = one.default_method;
  json["steps"] = report::Json::array();
  for (const measure::DecisionStep& step : one.decision.steps) {
    json["steps"].push_back({{"name", step.name},
                             {"passed", step.passed ? report::Json(*step.passed) : report::Json()},
                             {"found", step.found},
                             {"reason", step.reason}});
  }
  json["gain"] = one.decision.gain ? estimate_json(*one.decision.gain) : report::Json();
  json["threshold"] = report::exact(one.decision.threshold);
  json["software"] = one.device.kind != DeviceKind::gpu;
  json["stored"] = one.stored;
  return json;
}

// One decision is told at the document's top too.
report::Json all_json(const std::vector<Decided>& decided) {
  report::Json json = report::document();
  if (decided.size() == 1) {
    json.update(decided_json(decided.front()));
  }
  json["decisions"] = report::Json::array();
  for (const Decided& one : decided) {
    json["decisions"].push_back(decided_json(one));
  }
  return json;
}

ExitCode run_list(const Console& console) {
  const StoredDecisions decisions = stored_decisions(console);
  if (console.json) {
    report::Json json = report::document();
    json["file"] = decision_file().string();
    json["decisions"] = report::Json::parse(decisions.text()).at("decisions");
    console.out << report::dump(json);
    return ExitCode::well;
  }
  report::Table table({{"algorithm"}, {"decision"}, {"gain", report::Align::right}, {"device"}, {"driver"}, {"made"}});
  for (const StoredDecision& one : decisions.all()) {
    table.add({one.algorithm, one.answer, one.gain ? fmt::format("{:+.1f} %", 100.0 * *one.gain) : "-", one.device_name,
               one.driver_version, one.made});
  }
  console.out << (decisions.all().empty() ? std::string("no decisions are stored\n") : table.text());
  return ExitCode::well;
}

ExitCode run_forget(const DecideFlags& flags, const Console& console) {
  StoredDecisions decisions = stored_decisions(console);
  const std::size_t forgotten = decisions.forget(flags.what == "all" ? "" : flags.what);
  if (const auto stored = forgotten == 0 ? Expected<void>{} : store_decisions(decisions); !stored) {
    return report_error(console, stored.error());
  }
  if (console.json) {
    report::Json json = report::document();
    json["forgotten"] = forgotten;
    console.out << report::dump(json);
  } else {
    console.out << fmt::format("{} decision{} forgotten\n", forgotten, forgotten == 1 ? "" : "s");
  }
  return ExitCode::well;
}

Expected<std::vector<Decided>> decide_all(const DecideFlags& flags, const Console& console) {
  const auto threshold = parse_percent("--threshold", flags.threshold);
  const auto sensible = threshold.and_then([&](double) { return check_pair(flags.pair); });
  if (!sensible) {
    return tl::unexpected(sensible.error());
  }
  const auto devices = open_measured_devices(flags.measure, console);
  if (!devices) {
    return tl::unexpected(devices.error());
  }
  std::vector<Decided> decided;
  for (const auto& device : *devices) {
    auto some = decide_on(*device, flags, *threshold, console);
    if (!some) {
      return tl::unexpected(std::move(some.error()));
    }
    std::ranges::move(*some, std::back_inserter(decided));
  }
  return decided;
}

ExitCode run_decide(const DecideFlags& flags, const Console& console) {
  if (flags.list) {
    return run_list(console);
  }
  if (flags.forget) {
    return run_forget(flags, console);
  }
  auto decided = decide_all(flags, console);
  if (!decided) {
    return report_error(console, decided.error());
  }
  if (const auto stored = store_all(*decided, console); !stored) {
    return report_error(console, stored.error());
  }
  console.out << (console.json ? report::dump(all_json(*decided)) : decided_text(*decided));
  return ExitCode::well;
}

}  // namespace

Expected<report::Json> decide_document(const MeasureFlags& flags, const Console& console) {
  DecideFlags all;
  all.measure = flags;
  return decide_all(all, console).map([](const std::vector<Decided>& decided) { return all_json(decided); });
}

Verb add_decide(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand(
      "decide", "Decide between shuffles and groupshared memory on a device, step by step, and remember it");
  const auto flags = std::make_shared<DecideFlags>();
  std::vector<std::string> names = {"all"};
  for (const auto& algorithm : measure::measured_algorithms()) {
    names.emplace_back(algorithm.name);
  }
  parser->add_option("ALGORITHM", flags->what, "What to decide for")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  parser->add_option("--threshold", flags->threshold, "How much faster shuffles have to be")->capture_default_str();
  add_measure_flags(*parser, flags->measure);
  add_pair_flags(*parser, flags->pair);
  auto* const list = parser->add_flag("--list", flags->list, "Show what is stored");
  parser->add_flag("--forget", flags->forget, "Forget what is stored, for ALGORITHM or all")->excludes(list);
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  parser->footer(
      "Exit code 0 for every answer. With --a and --b, A is the shader that goes through groupshared memory.\n"
      "Examples:\n"
      "  crosslane decide\n"
      "  crosslane decide reduce --threshold 10%\n"
      "  crosslane decide --a tiled.hlsl --b shuffled.hlsl --job blur.yaml");
  return {parser, [flags](const Console& console) { return run_decide(*flags, console); }};
}

}  // namespace crosslane::cli
