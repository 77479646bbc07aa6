#include "cli/check_filter.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "compile/read_source.hpp"
#include "report/json.hpp"

namespace crosslane::cli {
namespace {

struct Suppression {
  std::string id;
  std::optional<std::uint32_t> line;
};

Expected<std::vector<Suppression>> parse(const std::vector<std::string>& texts) {
  std::vector<Suppression> all;
  for (const auto& text : texts) {
    const auto colon = text.find(':');
    Suppression one{text.substr(0, colon), {}};
    if (find_rule(one.id) == nullptr) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--suppress {}: there is no such id; crosslane explain lists them", text));
    }
    if (colon != std::string::npos) {
      std::uint32_t line = 0;
      const auto* const end = text.data() + text.size();
      const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, line);
      if (error != std::errc() || rest != end || line == 0) {
        return fail(ErrorCode::invalid_argument, fmt::format("--suppress {}: write ID or ID:LINE", text));
      }
      one.line = line;
    }
    all.push_back(std::move(one));
  }
  return all;
}

bool is_suppressed(const Finding& finding, const std::vector<Suppression>& all) {
  return std::ranges::any_of(all, [&](const Suppression& one) {
    return one.id == finding.id &&
           (!one.line || std::ranges::any_of(finding.locations, [&](const FindingLocation& location) {
             return location.line == *one.line;
           }));
  });
}

bool is_allowed(const Finding& finding) {
  const auto comment = fmt::format("crosslane: allow({})", finding.id);
  return std::ranges::any_of(finding.locations, [&](const FindingLocation& location) {
    return location.text.find(comment) != std::string::npos;
  });
}

// The id that a comment on the line allows where there is none of that name, as after a slip of the pen; else empty.
std::string unknown_allowed(const FindingLocation& location) {
  constexpr std::string_view begin = "crosslane: allow(";
  const auto found = location.text.find(begin);
  if (found == std::string::npos) {
    return "";
  }
  const auto first = found + begin.size();
  const std::string id = location.text.substr(first, location.text.find(')', first) - first);
  return find_rule(id) == nullptr ? id : "";
}

// A note for each such line of a finding, once.
std::set<std::string> notes_on_slips(const CheckOutcome& outcome) {
  std::set<std::string> notes;
  for (const auto& report : outcome.reports) {
    for (const auto& finding : report.findings) {
      for (const auto& location : finding.locations) {
        if (const auto id = unknown_allowed(location); !id.empty()) {
          notes.insert(fmt::format("{}:{}: allow({}) allows nothing: there is no such id; crosslane explain lists them",
                                   location.file, location.line, id));
        }
      }
    }
  }
  return notes;
}

// One file has many spellings: how it is reached from the current folder.
std::string from_here(const std::string& file) {
  std::error_code error;
  const auto path = std::filesystem::proximate(file, error);
  return error ? file : path.generic_string();
}

// Lines move when other lines change; what stands on them does not.
using Known = std::tuple<std::string, std::set<std::pair<std::string, std::string>>>;

Known known(const Finding& finding) {
  Known key{finding.id, {}};
  for (const auto& location : finding.locations) {
    std::get<1>(key).emplace(from_here(location.file), location.text);
  }
  return key;
}

Expected<std::set<Known>> read_baseline(const std::string& file) {
  std::set<Known> all;
  if (file.empty()) {
    return all;
  }
  const auto text = compile::read_source(file, "a baseline");
  if (!text) {
    return tl::unexpected(text.error());
  }
  const auto json = report::Json::parse(*text, nullptr, false);
  const auto findings = json.is_object() ? json.value("findings", report::Json()) : report::Json();
  if (!findings.is_array()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("'{}' is no baseline: make one with crosslane check --json", file));
  }
  for (const auto& finding : findings) {
    Finding one;
    one.id = finding.value("id", "");
    for (const auto& location : finding.value("locations", report::Json::array())) {
      one.locations.push_back({location.value("file", ""), 0, 0, location.value("text", ""), ""});
    }
    all.insert(known(one));
  }
  return all;
}

}  // namespace

Expected<void> apply_filter(const CheckFilter& filter, CheckOutcome& outcome) {
  const auto suppressed = parse(filter.suppressed);
  if (!suppressed) {
    return tl::unexpected(suppressed.error());
  }
  const auto baseline = read_baseline(filter.baseline);
  if (!baseline) {
    return tl::unexpected(baseline.error());
  }
  std::size_t left_out = 0;
  for (auto& report : outcome.reports) {
    left_out += std::erase_if(report.findings, [&](const Finding& finding) {
      return is_suppressed(finding, *suppressed) || is_allowed(finding) || baseline->contains(known(finding));
    });
  }
  std::ranges::copy(notes_on_slips(outcome), std::back_inserter(outcome.notes));
  if (left_out != 0) {
    outcome.notes.push_back(fmt::format("{} finding{} suppressed, allowed or in the baseline {} left out", left_out,
                                        left_out == 1 ? "" : "s", left_out == 1 ? "was" : "were"));
  }
  return {};
}

}  // namespace crosslane::cli
