#include "compile/include_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace crosslane::compile {
namespace {

bool is_ascii(char character) { return static_cast<unsigned char>(character) < 0x80; }

}  // namespace

IncludeNames::IncludeNames(std::vector<std::string>& arguments) {
  static constexpr std::string_view option = "-I";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == option && i + 1 < arguments.size()) {
      ++i;
      arguments[i] = rename(arguments[i]);
    } else if (arguments[i].starts_with(option)) {
      arguments[i] = std::string(option) + rename(std::string_view(arguments[i]).substr(option.size()));
    }
  }
  std::ranges::sort(names_, [](const auto& left, const auto& right) { return left.first.size() > right.first.size(); });
}

std::string IncludeNames::rename(std::string_view folder) {
  if (std::ranges::all_of(folder, is_ascii)) {
    return std::string(folder);
  }
  std::string name;
  for (const char character : folder) {
    if (is_ascii(character)) {
      name.push_back(character);
    } else {
      fmt::format_to(std::back_inserter(name), "%{:02X}", static_cast<unsigned char>(character));
    }
  }
  names_.emplace_back(name, folder);
  return name;
}

std::string IncludeNames::real_path(std::string path) const {
  for (const auto& [ours, real] : names_) {
    // The compiler writes "./" before relative paths.
    for (const std::string& prefix : {ours, "./" + ours}) {
      if (path.starts_with(prefix)) {
        return path.replace(0, prefix.size(), real);
      }
    }
  }
  return path;
}

std::string IncludeNames::real_text(std::string text) const {
  for (const auto& [ours, real] : names_) {
    for (std::size_t at = 0; (at = text.find(ours, at)) != std::string::npos; at += real.size()) {
      text.replace(at, ours.size(), real);
    }
  }
  return text;
}

}  // namespace crosslane::compile
