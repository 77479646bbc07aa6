#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/bench_output.hpp"
#include "cli/console.hpp"
#include "cli/decide.hpp"
#include "cli/decide_evidence.hpp"
#include "cli/decision_store.hpp"
#include "cli/flag_effects.hpp"
#include "cli/measure_flags.hpp"
#include "cli/percent.hpp"
#include "cli/progress.hpp"
#include "cli/verb.hpp"
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
  std::optional<std::uint32_t> wave_size;  ///< that a remedy has fixed
  bool stored = false;
};

struct DecidedAll {
  std::vector<Decided> decided;
  std::vector<std::string> notes;
};

std::vector<const measure::MeasuredAlgorithm*> algorithms_of(const DecideFlags& flags) {
  std::vector<const measure::MeasuredAlgorithm*> meant;
  for (const measure::MeasuredAlgorithm& algorithm : measure::measured_algorithms()) {
    if (!flags.pair.given() && (flags.what == "all" || flags.what == algorithm.name)) {
      meant.push_back(&algorithm);
    }
  }
  return meant;
}

// Why a decision is not stored; empty where it is.
std::string why_not_stored(const Decided& one) {
  if (one.device.kind != DeviceKind::gpu) {
    return "the device computes on the processor, and its times say nothing of a GPU";
  }
  if (one.algorithm == "pair") {
    return "it is for two shaders of yours";
  }
  return one.wave_size ? fmt::format("it is for waves of {} lanes, which verbs have to be asked for", *one.wave_size)
                       : std::string();
}

Decided decide_one(const DeviceInfo& device, std::string algorithm, const DecisionMeasurement& measured,
                   measure::DecisionFacts facts, double threshold) {
  facts.threshold = threshold;
  return {device,
          std::move(algorithm),
          measured.benchmark.title,
          measure::decide(facts),
          facts.default_method,
          measured.wave_size,
          false};
}

Expected<void> decide_on(Device& device, const DecideFlags& flags, double threshold, Stages& stages, DecidedAll& all) {
  WaveSizeFacts wave_size;
  wave_size.evidence = wave_size_evidence(device, stages, wave_size.fixed);
  const auto add = [&](std::string algorithm, auto&&... of) {
    DecisionMeasurement measured;
    return gather_facts(device, of..., flags.measure, wave_size, stages, measured)
        .map([&](const measure::DecisionFacts& facts) {
          all.decided.push_back(decide_one(device.info(), std::move(algorithm), measured, facts, threshold));
        });
  };
  if (flags.pair.given()) {
    return add("pair", flags.pair);
  }
  for (const measure::MeasuredAlgorithm* const algorithm : algorithms_of(flags)) {
    auto note = type_note(flags.measure, flags.what, *algorithm);
    if (!note) {
      return tl::unexpected(std::move(note.error()));
    }
    if (!note->empty() && std::ranges::find(all.notes, *note) == all.notes.end()) {
      all.notes.push_back(*std::move(note));
    }
    if (auto added = add(std::string(algorithm->name), *algorithm); !added) {
      return added;
    }
  }
  return {};
}

Expected<void> store_all(DecidedAll& all) {
  const auto worth = [](const Decided& one) { return why_not_stored(one).empty(); };
  if (std::ranges::none_of(all.decided, worth)) {
    return {};
  }
  auto [decisions, problem] = stored_decisions();
  if (!problem.empty()) {
    all.notes.push_back(problem + "; the file is replaced");
  }
  for (Decided& one : all.decided) {
    if (worth(one)) {
      decisions.put(stored_form(one.device, one.algorithm, one.decision));
      one.stored = true;
    }
  }
  return store_decisions(decisions);
}

std::string passed_text(std::optional<bool> passed) { return !passed ? "not told" : *passed ? "passed" : "FAILED"; }

std::string decided_text(const DecidedAll& all) {
  std::string text;
  for (const Decided& one : all.decided) {
    text +=
        fmt::format("{}: {}, on {}: {}, driver {}, {} lanes per wave\n", one.algorithm, report::printable(one.title),
                    one.device.id, report::printable(one.device.name), report::printable(one.device.driver_version),
                    one.wave_size.value_or(one.device.wave_sizes.standard));
    report::Table table({{"step"}, {"outcome"}, {"what was found, and why it counts"}});
    for (const measure::DecisionStep& step : one.decision.steps) {
      table.add({step.name, passed_text(step.passed), step.found});
      table.add({"", "", step.reason});
    }
    text += table.text();
    text +=
        fmt::format("decision: {}\n  {}\n", measure::name(one.decision.answer), report::printable(one.decision.reason));
    text += one.stored ? fmt::format("stored in {}\n\n", report::printable(decision_file().string()))
                       : fmt::format("not stored: {}\n\n", why_not_stored(one));
  }
  for (const std::string& note : all.notes) {
    text += "note: " + report::printable(note) + '\n';
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
  json["wave_size"] = one.wave_size.value_or(one.device.wave_sizes.standard);
  json["stored"] = one.stored;
  return json;
}

// One decision is told at the document's top too.
report::Json all_json(const DecidedAll& all) {
  report::Json json = report::document();
  if (all.decided.size() == 1) {
    json.update(decided_json(all.decided.front()));
  }
  json["decisions"] = report::Json::array();
  for (const Decided& one : all.decided) {
    json["decisions"].push_back(decided_json(one));
  }
  json["notes"] = all.notes;
  return json;
}

report::Json notes_of(const std::string& problem) {
  report::Json notes = report::Json::array();
  if (!problem.empty()) {
    notes.push_back(problem);
  }
  return notes;
}

ExitCode run_list(const DecideFlags& flags, const Console& console) {
  const auto [decisions, problem] = stored_decisions();
  const auto is_meant = [&](const std::string& algorithm) { return flags.what == "all" || flags.what == algorithm; };
  if (console.json) {
    report::Json json = report::document();
    json["file"] = decision_file().string();
    json["decisions"] = report::Json::array();
    const report::Json stored = report::Json::parse(decisions.text());
    for (const report::Json& one : stored.at("decisions")) {
      if (is_meant(one.at("algorithm").get<std::string>())) {
        json["decisions"].push_back(one);
      }
    }
    json["notes"] = notes_of(problem);
    console.out << report::dump(json);
    return ExitCode::well;
  }
  if (!problem.empty()) {
    report_progress(console, problem);
  }
  report::Table table({{"algorithm"}, {"decision"}, {"gain", report::Align::right}, {"device"}, {"driver"}, {"made"}});
  std::size_t shown = 0;
  for (const StoredDecision& one : decisions.all()) {
    if (is_meant(one.algorithm)) {
      ++shown;
      table.add({one.algorithm, one.answer, one.gain ? fmt::format("{:+.1f} %", 100.0 * *one.gain) : "-",
                 one.device_name, one.driver_version, one.made});
    }
  }
  console.out << (shown == 0 ? std::string("no decisions are stored\n") : table.text());
  return ExitCode::well;
}

// A damaged file is made one without decisions: nothing else could be wanted of it.
ExitCode run_forget(const DecideFlags& flags, const Console& console) {
  auto [decisions, problem] = stored_decisions();
  const std::size_t forgotten = decisions.forget(flags.what == "all" ? "" : flags.what);
  const bool changed = forgotten != 0 || !problem.empty();
  if (const auto stored = changed ? store_decisions(decisions) : Expected<void>{}; !stored) {
    return report_error(console, stored.error());
  }
  if (!problem.empty()) {
    problem += "; the file is replaced by an empty one";
  }
  if (console.json) {
    report::Json json = report::document();
    json["forgotten"] = forgotten;
    json["notes"] = notes_of(problem);
    console.out << report::dump(json);
    return ExitCode::well;
  }
  if (!problem.empty()) {
    report_progress(console, problem);
  }
  console.out << fmt::format("{} decision{} forgotten\n", forgotten, forgotten == 1 ? "" : "s");
  return ExitCode::well;
}

Expected<DecidedAll> decide_all(const DecideFlags& flags, const Console& console) {
  const auto threshold = parse_percent("--threshold", flags.threshold);
  if (!threshold) {
    return tl::unexpected(threshold.error());
  }
  const auto devices = open_measured_devices(flags.measure, console);
  if (!devices) {
    return tl::unexpected(devices.error());
  }
  const std::size_t decisions = std::max<std::size_t>(algorithms_of(flags).size(), 1);
  Stages stages(console, devices->size() * (1 + decisions * stages_of_facts));
  DecidedAll all;
  for (const auto& device : *devices) {
    if (const auto done = decide_on(*device, flags, *threshold, stages, all); !done) {
      return tl::unexpected(done.error());
    }
  }
  return all;
}

Expected<void> check_flags(const CLI::App& parser, const DecideFlags& flags) {
  if (flags.list || flags.forget) {
    return check_effects(parser,
                         {"--threshold", "--size", "--type", "--points", "--device", "--hot", "--cold", "--min-time",
                          "--max-time", "--a", "--b", "--job", "--define", "--include", "--profile"},
                         flags.list ? "beside --list" : "beside --forget");
  }
  return check_pair(flags.pair)
      .and_then([&]() -> Expected<void> {
        return flags.pair.given() ? check_effects(parser, {"ALGORITHM"}, "beside --a and --b") : Expected<void>{};
      })
      .and_then([&] { return check_measure_flags(parser, flags.measure, flags.what, flags.pair); });
}

ExitCode run_decide(const CLI::App& parser, const DecideFlags& flags, const Console& console) {
  if (const auto sensible = check_flags(parser, flags); !sensible) {
    return report_error(console, sensible.error());
  }
  if (flags.list) {
    return run_list(flags, console);
  }
  if (flags.forget) {
    return run_forget(flags, console);
  }
  auto all = decide_all(flags, console);
  if (!all) {
    return report_error(console, all.error());
  }
  if (const auto stored = store_all(*all); !stored) {
    return report_error(console, stored.error());
  }
  console.out << (console.json ? report::dump(all_json(*all)) : decided_text(*all));
  return ExitCode::well;
}

}  // namespace

Expected<report::Json> decide_document(const MeasureFlags& flags, const Console& console) {
  DecideFlags all;
  all.measure = flags;
  return decide_all(all, console).map([](const DecidedAll& decided) { return all_json(decided); });
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
  auto* const list = parser->add_flag("--list", flags->list, "Show what is stored, for ALGORITHM or all");
  parser->add_flag("--forget", flags->forget, "Forget what is stored, for ALGORITHM or all")->excludes(list);
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  parser->footer(
      "Exit code 0 for every answer. With --a and --b, A is the shader that goes through groupshared memory.\n"
      "Examples:\n"
      "  crosslane decide\n"
      "  crosslane decide reduce --threshold 10%\n"
      "  crosslane decide --a tiled.hlsl --b shuffled.hlsl --job blur.yaml");
  return {parser, [flags, parser](const Console& console) { return run_decide(*parser, *flags, console); }};
}

}  // namespace crosslane::cli
