#include "compile/embed.hpp"

#include "compile/embed_dxil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace crosslane::compile {
namespace {

bool is_word(char character) { return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_'; }

/// Letters, digits and underscores with "::" between them.
bool is_function_name(std::string_view text) {
  bool begins = true;
  while (!text.empty()) {
    if (!begins && text.starts_with("::")) {
      text.remove_prefix(2);
      begins = true;
    } else if (is_word(text.front()) && !(begins && std::isdigit(static_cast<unsigned char>(text.front())) != 0)) {
      text.remove_prefix(1);
      begins = false;
    } else {
      return false;
    }
  }
  return !begins;
}

/// What can stand between quotation marks as it is.
bool is_kernel_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char character) {
    return is_word(character) || character == '.' || character == '-' || character == '+';
  });
}

void write_dxil(const std::vector<std::string>& shaders, std::size_t kernel, std::string& file) {
  if (shaders.empty()) {
    return;
  }
  fmt::format_to(std::back_inserter(file), "namespace dxil_{} {{\n", kernel);
  std::string list;
  for (std::size_t i = 0; i < shaders.size(); ++i) {
    fmt::format_to(std::back_inserter(file), "namespace variant_{} {{\n{}}}\n", i, shaders[i]);
    fmt::format_to(std::back_inserter(list), "variant_{}::shader, ", i);
  }
  fmt::format_to(std::back_inserter(file), "constexpr std::array<crosslane::DxilShader, {}> shaders = {{{}}};\n}}\n",
                 shaders.size(), list);
}

}  // namespace

Expected<std::string> embed(std::string_view function, std::vector<EmbeddedKernel> kernels) {
  if (!is_function_name(function)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("'{}' is no name of a C++ function: write one like my_project::kernels", function));
  }
  std::ranges::sort(kernels, {}, &EmbeddedKernel::name);
  for (const EmbeddedKernel& kernel : kernels) {
    if (!is_kernel_name(kernel.name)) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("'{}' is no name of a kernel: use letters, digits and . _ - +", kernel.name));
    }
  }
  if (const auto twice = std::ranges::adjacent_find(kernels, {}, &EmbeddedKernel::name); twice != kernels.end()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("there are two kernels named '{}': give each its own name", twice->name));
  }

  const std::size_t separator = function.rfind("::");
  const bool qualified = separator != std::string_view::npos;
  const std::string_view name = qualified ? function.substr(separator + 2) : function;

  std::string file =
      "// Generated from compiled kernels; edits are lost.\n#include <array>\n#include <cstdint>\n"
      "#include <span>\n\n#include \"crosslane/kernel.hpp\"\n\nnamespace {\n";
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    fmt::format_to(std::back_inserter(file), "\n// {}\nconstexpr std::array<std::uint32_t, {}> spirv_{} = {{",
                   kernels[i].name, kernels[i].spirv.size(), i);
    write_words(kernels[i].spirv, file);
    file += "};\n";
    write_dxil(kernels[i].dxil, i, file);
  }
  fmt::format_to(std::back_inserter(file), "\nconstexpr std::array<crosslane::Kernel, {}> table = {{", kernels.size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    fmt::format_to(std::back_inserter(file), "\n    crosslane::Kernel{{\"{}\", spirv_{}, {}}},", kernels[i].name, i,
                   kernels[i].dxil.empty() ? "{}" : fmt::format("dxil_{}::shaders", i));
  }
  file += "};\n\n}  // namespace\n\n";
  if (qualified) {
    fmt::format_to(std::back_inserter(file), "namespace {} {{\n", function.substr(0, separator));
  }
  fmt::format_to(std::back_inserter(file), "std::span<const crosslane::Kernel> {}() {{ return table; }}\n", name);
  if (qualified) {
    fmt::format_to(std::back_inserter(file), "}}  // namespace {}\n", function.substr(0, separator));
  }
  return file;
}

}  // namespace crosslane::compile
