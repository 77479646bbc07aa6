#include "cli/flag_effects.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace crosslane::cli {

Expected<void> check_effects(const CLI::App& parser, std::initializer_list<const char*> flags, std::string_view where) {
  for (const char* const flag : flags) {
    const CLI::Option& option = *parser.get_option(flag);
    if (option.count() != 0) {
      const bool is_positional = option.get_lnames().empty() && option.get_snames().empty();
      return fail(ErrorCode::invalid_argument, fmt::format("{}: means nothing {}: leave it out",
                                                           is_positional ? option.results().front() : flag, where));
    }
  }
  return {};
}

}  // namespace crosslane::cli
