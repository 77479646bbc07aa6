#include "compile/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compile/arguments.hpp"

namespace crosslane::compile {
namespace {

constexpr std::string_view wave_size_warning = "Wave size is not supported by Vulkan SPIR-V";
constexpr std::string_view signing_warning = "DXIL signing library";
constexpr std::string_view unknown_profile = "this compiler does not know that profile";
constexpr std::string_view debug_warning =
    "Member functions will not be linked to their class in the debug information";

/// Takes the first line off a text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether a line begins a new diagnostic; the lines after it show the source.
bool is_headline(std::string_view line) {
  return std::ranges::any_of(std::array{"warning: ", "error: ", "note: "},
                             [line](const char* kind) { return contains(line, kind); });
}

/// Says in our terms what the compiler says in its own.
std::string explained(const Request& request, std::string error) {
  if (contains(error, "missing entry point definition")) {
    return fmt::format("it has no function '{}' to start at", request.entry_point);
  }
  if (contains(error, "unable to parse shader model") || contains(error, "unknown shader module") ||
      contains(error, "invalid profile")) {
    return std::string(unknown_profile);
  }
  return error;
}

}  // namespace

std::string first_error(std::string_view diagnostics) {
  static constexpr std::string_view mark = "error: ";
  std::string_view rest = diagnostics;
  std::string_view first;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (const std::size_t at = line.find(mark); at != std::string_view::npos) {
      // Before it stands a place, nothing, or a word that belongs to it: "file.hlsl:1:10: fatal error: ".
      const std::string_view before = line.substr(0, at);
      const bool has_word = !before.empty() && !before.ends_with(": ");
      return has_word ? std::string(line) : std::string(before) + std::string(line.substr(at + mark.size()));
    }
    first = first.empty() ? line : first;
  }
  return std::string(first.empty() ? "it gave no reason" : first);
}

bool says_unknown_profile(std::string_view message) { return contains(message, unknown_profile); }

bool mentions_wave_size(std::string_view diagnostics) { return contains(diagnostics, wave_size_warning); }

Error explain_failure(const Request& request, const std::string& diagnostics, const Faults& faults) {
  const std::string error = explained(request, first_error(diagnostics));
  if (request.target == Target::spirv && faults.lacks_multi_prefix && contains(error, "WaveMultiPrefix")) {
    return {
        ErrorCode::unsupported,
        fmt::format("'{}' uses WaveMultiPrefix*, which this compiler cannot turn into SPIR-V: compile it to DXIL, or "
                    "write the prefix with WaveMatch and shuffles: {}",
                    source_name(request), error),
        {diagnostics}};
  }
  return {ErrorCode::invalid_input,
          fmt::format("'{}' does not compile for {}: {}", source_name(request), request.profile, error),
          {diagnostics}};
}

std::string warnings_of(std::string_view diagnostics) {
  std::string result;
  bool keep = true;
  while (!diagnostics.empty()) {
    const std::string_view line = take_line(diagnostics);
    if (is_headline(line)) {
      keep = !contains(line, signing_warning) && !contains(line, wave_size_warning) && !contains(line, debug_warning);
    }
    if (keep && !(line.empty() && result.empty())) {
      result.append(line).push_back('\n');
    }
  }
  return result;
}

}  // namespace crosslane::compile
