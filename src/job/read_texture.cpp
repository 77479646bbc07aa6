#include "job/read_texture.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace crosslane::job {
namespace {

// The word of a field as one of a few, the first where there is none.
template <typename Value, std::size_t N>
Value one_of(YamlFields& fields, std::string_view field,
             const std::array<std::pair<std::string_view, Value>, N>& words) {
  if (!fields.find(field)) {
    return words.front().second;
  }
  const auto given = fields.text(field);
  std::string known;
  for (const auto& [word, value] : words) {
    if (word == given) {
      return value;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", word);
  }
  fields.complain(field, fmt::format("'{}' is none of {}", given, known));
  return words.front().second;
}

constexpr std::array filters = {std::pair<std::string_view, Filter>{"Nearest", Filter::point},
                                std::pair<std::string_view, Filter>{"Linear", Filter::linear}};
constexpr std::array addresses = {std::pair<std::string_view, TextureAddress>{"Clamp", TextureAddress::clamp},
                                  std::pair<std::string_view, TextureAddress>{"Repeat", TextureAddress::wrap},
                                  std::pair<std::string_view, TextureAddress>{"Mirror", TextureAddress::mirror},
                                  std::pair<std::string_view, TextureAddress>{"Border", TextureAddress::border}};
constexpr std::array borders = {
    std::pair<std::string_view, BorderColor>{"TransparentBlack", BorderColor::transparent_black},
    std::pair<std::string_view, BorderColor>{"OpaqueBlack", BorderColor::opaque_black},
    std::pair<std::string_view, BorderColor>{"OpaqueWhite", BorderColor::opaque_white}};

}  // namespace

std::optional<TextureShape> texture_shape(std::string_view kind) {
  for (const std::string_view prefix : {"RWTexture", "Texture"}) {
    if (!kind.starts_with(prefix)) {
      continue;
    }
    const auto shape = kind.substr(prefix.size());
    if (shape == "1D" || shape == "1DArray") {
      return TextureShape{1, false};
    }
    if (shape == "2D" || shape == "2DArray") {
      return TextureShape{2, false};
    }
    if (shape == "3D") {
      return TextureShape{3, false};
    }
    if (shape == "Cube" || shape == "CubeArray") {
      return TextureShape{2, true};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

bool is_unknown_texture(std::string_view kind) {
  return (kind.starts_with("Texture") || kind.starts_with("RWTexture") || kind.starts_with("SampledTexture")) &&
         !texture_shape(kind);
}

JobSampler read_sampler(YamlText& text, const YAML::Node& node, const std::string& path,
                        std::vector<std::string>& lacks) {
  YamlFields fields(text, node, path);
  JobSampler read;
  read.name = fields.text("Name");
  auto& sampler = read.sampler;
  sampler.minify = one_of(fields, "MinFilter", filters);
  sampler.magnify = one_of(fields, "MagFilter", filters);
  sampler.mips = one_of(fields, "MipFilter", filters);
  sampler.address.fill(one_of(fields, "Address", addresses));
  sampler.border = one_of(fields, "BorderColor", borders);
  sampler.lod_bias = static_cast<float>(fields.real("MipLODBias", 0));
  sampler.min_lod = static_cast<float>(fields.real("MinLOD", 0));
  sampler.max_lod = static_cast<float>(fields.real("MaxLOD", sampler.max_lod));
  const bool compares = fields.find("ComparisonOp") || (fields.find("Kind") && fields.text("Kind") != "Sampler");
  if (compares) {
    lacks.emplace_back("samplers that compare");
  }
  fields.finish();
  return read;
}

}  // namespace crosslane::job
