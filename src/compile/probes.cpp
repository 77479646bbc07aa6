#include "compile/probes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <system_error>

#include "compile/fault_probes.hpp"
#include "compile/messages.hpp"

namespace crosslane::compile {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The third part of a release's version, "1.8.2407.12": year and month; 0 for a build from source, "1.8.0.4597".
std::uint32_t release_of(std::string_view version) {
  std::array<std::uint32_t, 3> parts{};
  const char* at = version.data();
  const char* const end = at + version.size();
  for (std::uint32_t& part : parts) {
    const auto [stopped, error] = std::from_chars(at, end, part);
    if (error != std::errc{}) {
      return 0;
    }
    at = stopped != end ? stopped + 1 : end;
  }
  return parts[2];
}

std::vector<std::string_view> failed_names(const std::vector<ProbeResult>& probes) {
  std::vector<std::string_view> names;
  for (const ProbeResult& probe : probes) {
    if (!probe.passed) {
      names.emplace_back(probe.name);
    }
  }
  return names;
}

}  // namespace

bool CompilerReport::fit() const { return failed_names(needs).empty(); }

std::string standing(std::string_view version, std::uint32_t commit_count, const std::vector<ProbeResult>& needs,
                     const std::vector<ProbeResult>& faults) {
  // A release says year and month; a build from source has 0 there and counts commits.
  const std::uint32_t release = release_of(version);
  const bool recent = release != 0 ? release >= 2407 : commit_count >= commit_count_of_1_8_2407;
  const auto missing = failed_names(needs);
  const auto workarounds = failed_names(faults);
  return fmt::format(
      "{} 1.8.2407, {}, workarounds: {}", recent ? "at least" : "below",
      missing.empty() ? "accepted by probes" : fmt::format("refused by probes ({})", fmt::join(missing, ", ")),
      workarounds.empty() ? "none" : fmt::format("{}", fmt::join(workarounds, ", ")));
}

Expected<void> require_fit(const std::filesystem::path& library, std::string_view version,
                           const std::vector<ProbeResult>& needs) {
  std::vector<std::string> reasons;
  for (const ProbeResult& need : needs) {
    if (!need.passed) {
      reasons.push_back(fmt::format("{} ({}): {}", need.name, need.meaning, first_line(need.detail)));
    }
  }
  if (reasons.empty()) {
    return {};
  }
  return fail(ErrorCode::compiler,
              fmt::format("the DirectX Shader Compiler '{}' (version {}) is unfit, it fails {}: {}", library.string(),
                          version.empty() ? "unknown" : version, fmt::join(failed_names(needs), ", "), mend),
              std::move(reasons));
}

CompilerReport examine(const Compiler& compiler) {
  CompilerReport report;
  report.library = compiler.library();
  report.version = compiler.version();
  report.commit = compiler.commit();
  report.commit_count = compiler.commit_count();
  report.needs = examine_needs([&compiler](const Request& request) { return compiler.compile(request); });
  for (const FaultDescription& fault : fault_descriptions()) {
    const bool seen = compiler.faults().*fault.seen;
    report.faults.push_back(
        {std::string(fault.name), !seen, fmt::format("{}: {}", fault.what, fault.workaround), seen ? "seen" : ""});
  }
  report.standing = standing(report.version, report.commit_count, report.needs, report.faults);
  return report;
}

}  // namespace crosslane::compile
