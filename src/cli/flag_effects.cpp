#include "cli/flag_effects.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace crosslane::cli {

Expected<void> check_effects(const CLI::App& parser, std::initializer_list<const char*> flags, std::string_view where) {
  for (const char* const flag : flags) {
    if (parser.get_option(flag)->count() != 0) {
      return fail(ErrorCode::invalid_argument, fmt::format("{}: means nothing {}: leave it out", flag, where));
    }
  }
  return {};
}

}  // namespace crosslane::cli
