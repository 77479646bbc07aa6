#include "compile/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "compile/bindings.hpp"

namespace crosslane::compile {
namespace {

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stopped != end) {
    return std::nullopt;
  }
  return value;
}

bool any_starts_with(const std::vector<std::string>& arguments, std::string_view prefix) {
  return std::ranges::any_of(arguments, [prefix](const std::string& argument) { return argument.starts_with(prefix); });
}

void add_binding_shifts(const Request& request, std::vector<std::string>& arguments) {
  // Whoever binds registers one by one, or shifts a kind, means it.
  if (any_starts_with(request.arguments, "-fvk-bind-register")) {
    return;
  }
  for (const RegisterKind kind : all_register_kinds) {
    const std::string option = fmt::format("-fvk-{}-shift", name(kind));
    if (!any_starts_with(request.arguments, option)) {
      arguments.insert(arguments.end(), {option, std::to_string(binding_shift(kind)), "all"});
    }
  }
  arguments.emplace_back("-fvk-auto-shift-bindings");
}

void add_spirv_arguments(const Request& request, const Faults& faults, Extensions extensions,
                         std::vector<std::string>& arguments) {
  arguments.emplace_back("-spirv");
  arguments.push_back("-fspv-target-env=" + request.spirv_environment);
  arguments.emplace_back("-fspv-enable-maximal-reconvergence");
  if (extensions == Extensions::khronos) {
    arguments.emplace_back("-fspv-extension=KHR");
  }
  if (faults.registers_share_bindings) {
    add_binding_shifts(request, arguments);
  }
  if (request.debug_info) {
    arguments.emplace_back("-fspv-debug=vulkan-with-source");
  }
}

}  // namespace

std::optional<ShaderModel> shader_model(std::string_view profile) {
  static constexpr std::string_view prefix = "cs_";
  if (!profile.starts_with(prefix)) {
    return std::nullopt;
  }
  const std::string_view version = profile.substr(prefix.size());
  const std::size_t separator = version.find('_');
  if (separator == std::string_view::npos) {
    return std::nullopt;
  }
  const auto major = number(version.substr(0, separator));
  const auto minor = number(version.substr(separator + 1));
  if (!major || !minor) {
    return std::nullopt;
  }
  return ShaderModel{*major, *minor};
}

std::string source_name(const Request& request) {
  return request.file.empty() ? std::string("source.hlsl") : request.file.string();
}

std::vector<std::string> arguments_for(const Request& request, const Faults& faults, Extensions extensions) {
  std::vector<std::string> arguments = {source_name(request), "-T",  request.profile, "-E",
                                        request.entry_point,  "-HV", "2021"};
  if (request.types16 && shader_model(request.profile).value_or(ShaderModel{}).at_least({6, 2})) {
    arguments.emplace_back("-enable-16bit-types");
  }
  if (request.target == Target::spirv) {
    add_spirv_arguments(request, faults, extensions, arguments);
  } else if (request.debug_info) {
    arguments.insert(arguments.end(), {"-Zi", "-Qembed_debug"});
  }
  for (const auto& [name, value] : request.defines) {
    arguments.insert(arguments.end(), {"-D", value.empty() ? name : fmt::format("{}={}", name, value)});
  }
  for (const auto& directory : request.include_directories) {
    arguments.insert(arguments.end(), {"-I", directory.string()});
  }
  arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
  return arguments;
}

}  // namespace crosslane::compile
