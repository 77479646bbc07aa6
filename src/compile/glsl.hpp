// GLSL compute shaders to SPIR-V, by glslang.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crosslane/error.hpp"

namespace crosslane::compile {

struct GlslRequest {
  std::filesystem::path file;             ///< read unless `source` is given; includes are looked for beside it
  std::optional<std::string> source;      ///< UTF-8
  std::string environment = "vulkan1.3";  ///< vulkan1.1, vulkan1.2 or vulkan1.3: SPIR-V 1.3, 1.5 or 1.6
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::filesystem::path> include_directories;
  bool debug_info = true;  ///< lines and source in the module
};

struct GlslResult {
  std::vector<std::uint32_t> words;  ///< validated with SPIRV-Tools; the entry point is "main"
  std::string warnings;              ///< the compiler's own, empty if none
};

/// Compiles one compute shader. `#include` works without asking for an extension. Errors: `invalid_input` with the
/// first diagnostic, its file and line, and all of them as the reason; `invalid_argument` for an unknown environment;
/// `compiler` where what comes out is not valid.
Expected<GlslResult> compile_glsl(const GlslRequest& request);

}  // namespace crosslane::compile
