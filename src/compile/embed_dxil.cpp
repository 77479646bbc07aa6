#include "compile/embed_dxil.hpp"

#include <fmt/format.h>

#include <iterator>

namespace crosslane::compile {
namespace {

constexpr std::size_t words_per_line = 10;

std::string constants_text(const DxilConstants& constants) {
  return fmt::format("{{{}, {}, {}}}", constants.first_register, constants.space, constants.bytes);
}

}  // namespace

void write_words(std::span<const std::uint32_t> words, std::string& file) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    fmt::format_to(std::back_inserter(file), "{}{:#x},", i % words_per_line == 0 ? "\n    " : " ", words[i]);
  }
}

std::string dxil_declarations(const DxilInterface& interface, std::span<const std::uint32_t> container) {
  std::string file = fmt::format("constexpr std::array<std::uint32_t, {}> words = {{", container.size());
  write_words(container, file);
  fmt::format_to(std::back_inserter(file), "}};\nconstexpr std::array<crosslane::DxilResource, {}> resources = {{",
                 interface.resources.size());
  for (const DxilResource& resource : interface.resources) {
    fmt::format_to(std::back_inserter(file),
                   "\n    crosslane::DxilResource{{{}, {}, static_cast<crosslane::DxilView>({}), {}, {}, {}, {}}},",
                   resource.set, resource.slot, static_cast<int>(resource.view), resource.first_register,
                   resource.space, resource.count, resource.stride);
  }
  fmt::format_to(std::back_inserter(file),
                 "}};\nconstexpr std::array<crosslane::DxilSpecialization, {}> specializations = {{",
                 interface.specializations.size());
  for (const DxilSpecialization& constant : interface.specializations) {
    fmt::format_to(std::back_inserter(file), "\n    crosslane::DxilSpecialization{{{}, {}, {}}},", constant.id,
                   constant.offset, constant.default_value);
  }
  const auto& size = interface.group_size;
  fmt::format_to(std::back_inserter(file),
                 "}};\nconstexpr crosslane::DxilShader shader = {{words, {{{}, {}, {}}}, {}, resources, {}, {}, "
                 "specializations}};\n",
                 size[0], size[1], size[2], interface.wave_size, constants_text(interface.pushed),
                 constants_text(interface.specialized));
  return file;
}

}  // namespace crosslane::compile
