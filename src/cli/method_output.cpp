#include "cli/method_output.hpp"

#include <fmt/format.h>

#include <utility>

namespace crosslane::cli {
namespace {

std::string time_text(std::optional<double> milliseconds) {
  return milliseconds ? fmt::format("{:.4f}", *milliseconds) : "-";
}

// Bytes over that time in GB/s.
std::string rate_text(std::uint64_t bytes, std::optional<double> milliseconds) {
  const bool has_rate = milliseconds && *milliseconds > 0.0 && bytes > 0;
  return has_rate ? fmt::format("{:.2f}", static_cast<double>(bytes) / *milliseconds / 1e6) : "-";
}

// The note, and before it that another method ran than the one asked for.
std::string note_text(const MethodOutcome& outcome) {
  const Method ran = outcome.ran.value_or(outcome.asked);
  return ran == outcome.asked ? outcome.note : fmt::format("ran as {}: {}", name(ran), outcome.note);
}

}  // namespace

MethodTable::MethodTable(report::Column own, std::uint64_t bytes)
    : table_({{"method"},
              std::move(own),
              {"GPU time [ms]", report::Align::right},
              {"GB/s", report::Align::right},
              {"note"}}),
      bytes_(bytes) {}

void MethodTable::add(const MethodOutcome& outcome, std::string own) {
  table_.add({std::string(name(outcome.asked)), std::move(own), time_text(outcome.gpu_time_ms),
              rate_text(bytes_, outcome.gpu_time_ms), note_text(outcome)});
}

std::string agreement_text(std::size_t methods, bool agree) {
  if (methods < 2) {
    return {};
  }
  return agree ? "\nall methods agree\n" : "\nthe methods DISAGREE\n";
}

report::Json method_json(const MethodOutcome& outcome, std::string_view key, const report::Json& own) {
  report::Json json;
  json["method"] = name(outcome.asked);
  json["ran"] = outcome.ran ? report::Json(name(*outcome.ran)) : report::Json();
  json[std::string(key)] = own;
  json["gpu_time_ms"] = outcome.gpu_time_ms ? report::exact(*outcome.gpu_time_ms) : report::Json();
  json["note"] = outcome.note;
  return json;
}

std::optional<std::string> passes_name(std::optional<Passes> passes) {
  if (!passes) {
    return std::nullopt;
  }
  return *passes == Passes::one ? "one" : "several";
}

}  // namespace crosslane::cli
