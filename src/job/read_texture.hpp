// Textures and samplers in a job's YAML.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job/job.hpp"
#include "job/yaml_fields.hpp"

namespace crosslane::job {

/// What a Kind like Texture2D or RWTexture3D says; nothing for kinds that are none, or that no device here has.
std::optional<TextureShape> texture_shape(std::string_view kind);

/// True for the kinds of textures that the suite knows and that no device here has.
bool is_unknown_texture(std::string_view kind);

/// One entry of Samplers. Complains by `text` and then returns what it has; what no device here has is added to
/// `lacks`.
JobSampler read_sampler(YamlText& text, const YAML::Node& node, const std::string& path,
                        std::vector<std::string>& lacks);

}  // namespace crosslane::job
