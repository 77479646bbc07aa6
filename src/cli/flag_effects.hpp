// Flags that mean nothing beside others are refused: nobody gives them to have them passed over.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "crosslane/error.hpp"

namespace CLI {
class App;
}

namespace crosslane::cli {

/// Errors: `invalid_argument` for the first of the flags that was given; `where` says why it has no effect: "beside
/// exchange".
Expected<void> check_effects(const CLI::App& parser, std::initializer_list<const char*> flags, std::string_view where);

}  // namespace crosslane::cli
