#include "cli/method_run.hpp"

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "cli/algorithm_flags.hpp"
#include "report/table.hpp"

namespace crosslane::cli {
namespace {

std::string_view passes_text(Passes passes) { return passes == Passes::one ? "one" : "several"; }

}  // namespace

Expected<void> run_once(Device& device, const measure::RecordWork& record) {
  return device.create_command_list().and_then([&](const std::unique_ptr<CommandList>& list) {
    return record(*list).and_then([&] { return run(device, *list); });
  });
}

Expected<std::optional<double>> median_time(Device& device, const measure::RecordWork& record) {
  if (!device.info().features.timestamps) {
    return std::optional<double>();
  }
  return measure::time_on_device(device, record).map([](const measure::Timing& timing) {
    return std::optional(timing.median_ms);
  });
}

std::string choice_note(Method asked, const std::string& library_note) {
  if (asked != Method::automatic) {
    return library_note;
  }
  return library_note.empty() ? "chosen automatically" : "chosen automatically; " + library_note;
}

std::string note_text(Method asked, Method ran, const std::string& note) {
  return ran == asked ? note : fmt::format("ran as {}: {}", name(ran), note);
}

std::string outcome_text(const RunOutcome& outcome, std::uint64_t bytes) {
  report::Table table(
      {{"method"}, {"passes"}, {"GPU time [ms]", report::Align::right}, {"GB/s", report::Align::right}, {"note"}});
  table.add({std::string(name(outcome.asked)), std::string(passes_text(outcome.passes)), time_text(outcome.gpu_time_ms),
             rate_text(bytes, outcome.gpu_time_ms), note_text(outcome.asked, outcome.ran, outcome.note)});
  return table.text();
}

report::Json outcome_json(const RunOutcome& outcome) {
  return {{"method", name(outcome.asked)},
          {"ran", name(outcome.ran)},
          {"passes", passes_text(outcome.passes)},
          {"gpu_time_ms", outcome.gpu_time_ms ? report::exact(*outcome.gpu_time_ms) : report::Json()},
          {"note", outcome.note}};
}

}  // namespace crosslane::cli
