// cs_6_13, the article's shader model, which is no released one: an alias for the newest profile that compiler and
// source allow.
#pragma once

#include <functional>
#include <string_view>

#include "compile/compiler.hpp"

namespace crosslane::compile {

inline constexpr std::string_view article_profile = "cs_6_13";

/// The source with what it may use without an #include in front; the numbers of its lines stay.
std::string with_article_names(const Request& request, std::string_view source);

/// Compiles with the newest profile, from cs_6_12 down, that `compile` takes. Errors: what `compile` says of the newest
/// profile that the compiler knows.
Expected<Result> compile_newest(Request request, const std::function<Expected<Result>(const Request&)>& compile);

}  // namespace crosslane::compile
