#include "compile/newest_profile.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "compile/arguments.hpp"
#include "compile/diagnostics.hpp"

namespace crosslane::compile {
namespace {

constexpr std::uint32_t newest_minor = 12;

/// As it stands between quotation marks in a source.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '\\' || character == '"') {
      result.push_back('\\');
    }
    result.push_back(character);
  }
  return result;
}

}  // namespace

std::string with_article_names(const Request& request, std::string_view source) {
  return fmt::format("#include \"crosslane/cs_6_13.hlsli\"\n#line 1 \"{}\"\n{}", escaped(source_name(request)), source);
}

Expected<Result> compile_newest(Request request, const std::function<Expected<Result>(const Request&)>& compile) {
  std::optional<Error> first;
  for (std::uint32_t minor = newest_minor + 1; minor-- > 0;) {
    request.profile = fmt::format("cs_6_{}", minor);
    auto result = compile(request);
    if (result) {
      result->profile = request.profile;
      return result;
    }
    if (says_unknown_profile(result.error().message)) {
      continue;
    }
    if (result.error().code != ErrorCode::invalid_input) {  // not the source's fault
      return result;
    }
    first = first ? std::move(first) : std::move(result.error());
  }
  return tl::unexpected(
      first.value_or(Error{ErrorCode::compiler, "the compiler knows no profile of a compute shader", {}}));
}

}  // namespace crosslane::compile
