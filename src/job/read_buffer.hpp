// The numbers in a job's YAML: buffers with their data, push constants, specialization constants.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "job/job.hpp"
#include "job/yaml_fields.hpp"

namespace crosslane::job {

/// One entry of Buffers. Complains by `text` and then returns what it has.
JobBuffer read_buffer(YamlText& text, const YAML::Node& node, const std::string& path);

/// One entry of a push constant block's Values: its bytes are written into `bytes`, which grows as needed.
void read_push_constant(YamlText& text, const YAML::Node& node, const std::string& path, std::vector<std::byte>& bytes);

/// One entry of SpecializationConstants.
JobConstant read_constant(YamlText& text, const YAML::Node& node, const std::string& path);

}  // namespace crosslane::job
