// Documents as `crosslane bench --json` and `crosslane decide --json` print them, for tests. The times are those of an
// NVIDIA H200.
#pragma once

#include <string>
#include <vector>

#include "report/json.hpp"

namespace crosslane::report::test {

inline Json estimate(double median, double low, double high) {
  return {{"median", median}, {"low", low}, {"high", high}};
}

inline Json device(const std::string& name, const std::string& uuid) {
  return {{"id", "vulkan:0"},
          {"name", name},
          {"kind", "gpu"},
          {"vendor", "NVIDIA"},
          {"driver", "NVIDIA 580.159.04"},
          {"driver_version", "580.159.4.0"},
          {"api_version", "1.4.312"},
          {"uuid", uuid},
          {"wave_sizes", {{"minimum", 32}, {"maximum", 32}, {"standard", 32}}}};
}

inline Json method(const std::string& name, double milliseconds) {
  return {{"name", name},
          {"note", ""},
          {"fault", ""},
          {"timed", true},
          {"launches", 1},
          {"repeats", 51},
          {"time_ms", estimate(milliseconds, 0.99 * milliseconds, 1.01 * milliseconds)},
          {"relative", estimate(1.0, 1.0, 1.0)},
          {"gb_per_s", 3429.4},
          {"gflops", nullptr},
          {"mpixel_per_s", nullptr},
          {"memory_fraction", estimate(0.893, 0.891, 0.895)},
          {"drift", {{"relative", 0.001}, {"significant", false}}},
          {"outliers", Json::array()},
          {"times_ms", {milliseconds, milliseconds}}};
}

inline Json exchange_row(const std::string& kind, int threads, double nanoseconds) {
  return {{"kind", kind},
          {"threads", threads},
          {"nanoseconds", estimate(nanoseconds, nanoseconds, nanoseconds)},
          {"cycles", 1.98 * nanoseconds},
          {"steps_per_second", 7.6e12},
          {"fault", ""},
          {"note", ""}};
}

inline Json counts() {
  return {{"algorithm", "reduce"},
          {"rows",
           {{{"method", "shuffle"},
             {"wave_size", 16},
             {"count", 1000},
             {"waves", 10},
             {"groupshared_accesses", 500},
             {"shuffles", 4000},
             {"bank_turns_least", 1},
             {"bank_turns", 2},
             {"conflict_factor", 2.0},
             {"note", ""},
             {"counters",
              {{"instructions", {{"total", 100}, {"lanes", 7000}, {"per_thread", 7.0}}},
               {"buffer_reads_bytes", {{"total", 4000}}},
               {"buffer_writes_bytes", {{"total", 1000}}},
               {"barriers", {{"total", 20}}}}}}}}};
}

/// Reductions by two methods and exchanges of 32 and 64 threads on one device.
inline Json bench_document(const std::string& name = "NVIDIA H200", const std::string& uuid = "4ed6") {
  Json run = {{"device", device(name, uuid)}, {"wave_size", 32}};
  run["benchmarks"] = {{{"algorithm", "reduce"},
                        {"title", "sum of u32"},
                        {"element", "u32"},
                        {"count", 16777216},
                        {"bytes_formula", "4 n bytes read"},
                        {"operations_formula", ""},
                        {"stop", "narrow"},
                        {"methods", {method("groupshared", 0.01957), method("shuffle", 0.01848)}},
                        {"memory", method("memory", 0.01749)}}};
  run["exchange"] = {
      {"wave_size", 32},
      {"steps", 16380},
      {"clock_note", ""},
      {"rows",
       {exchange_row("up", 32, 21.0), exchange_row("groupshared", 32, 28.0), exchange_row("up", 64, 19.1),
        exchange_row("groupshared", 64, 36.7), exchange_row("fft_shuffle", 32, 74.7)}}};
  Json json = document();
  json["crosslane"] = "0.1.0";
  json["cold"] = true;
  json["runs"] = {run};
  json["counts"] = {counts()};
  json["notes"] = Json::array();
  return json;
}

/// The same device's decision for reductions.
inline Json decide_document(const std::string& name = "NVIDIA H200", const std::string& uuid = "4ed6") {
  Json json = document();
  json["decisions"] = {
      {{"algorithm", "reduce"},
       {"title", "sum of u32"},
       {"device", device(name, uuid)},
       {"decision", "groupshared"},
       {"reason", "the gain is below the threshold"},
       {"default_method", "shuffle"},
       {"steps",
        {{{"name", "registers"}, {"passed", nullptr}, {"found", "28 registers"}, {"reason", "spills are slow"}},
         {{"name", "gain"}, {"passed", false}, {"found", "5.9 %"}, {"reason", "the interval is below"}}}},
       {"gain", estimate(0.059, 0.057, 0.062)},
       {"threshold", 0.2},
       {"software", false},
       {"stored", true}}};
  return json;
}

}  // namespace crosslane::report::test
