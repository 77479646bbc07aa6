// A shader of any language, made into what a device takes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/compiler.hpp"
#include "crosslane/error.hpp"

namespace crosslane::job {

enum class Language : std::uint8_t { hlsl, glsl, spirv, spirv_assembly };

/// By the file's name: .hlsl, .comp and .glsl, .spv, .spvasm; nothing for others.
std::optional<Language> language_of(const std::filesystem::path& file);

struct ShaderSource {
  std::filesystem::path file;  ///< names the shader in messages; read unless `text` is given
  Language language = Language::hlsl;
  std::optional<std::string> text = {};
  std::string entry_point = "main";
  std::vector<std::pair<std::string, std::string>> defines = {};
  std::vector<std::filesystem::path> include_directories = {};
  std::string environment = "vulkan1.3";    ///< of GLSL and HLSL
  std::string profile = "cs_6_6";           ///< of HLSL
  bool types16 = true;                      ///< of HLSL: half has 16 bits
  std::vector<std::string> arguments = {};  ///< of HLSL, handed to the compiler as they are
  /// The newest shader model of DXIL that the device takes: the shader is compiled to that as well. Zeros: SPIR-V
  /// alone.
  std::array<std::uint32_t, 2> dxil_model = {};
};

struct Shader {
  std::string name;  ///< the file's
  std::string entry_point = "main";
  std::vector<std::uint32_t> words;  ///< SPIR-V
  bool registers = false;            ///< HLSL's registers became bindings as compile/bindings.hpp says
  std::optional<compile::WaveSizeAttribute> wave_size;
  std::string warnings;  ///< the compiler's
  /// For Direct3D 12, where the source was asked for it; else empty.
  std::vector<std::uint32_t> dxil_words = {};
  compile::DxilInterface dxil = {};
};

/// Loads HLSL's compiler when it is needed.
using FindCompiler = std::function<Expected<const compile::Compiler*>()>;

/// Reads and compiles. Errors: `invalid_input` for files that cannot be read or are malformed, `invalid_argument` for
/// defines and entry points that the language does not have, and those of the compilers.
Expected<Shader> load_shader(const ShaderSource& source, const FindCompiler& find_compiler);

/// Takes DXC's flags, as a command line has them: -T, -E, -D, -I, -enable-16bit-types, -fspv-target-env=; the others go
/// to the compiler as they are. Errors: `invalid_input` for a flag without its value.
Expected<void> apply_flags(const std::vector<std::string>& flags, ShaderSource& source);

}  // namespace crosslane::job
