#include "job/shader.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "compile/arguments.hpp"
#include "compile/glsl.hpp"
#include "compile/newest_profile.hpp"
#include "compile/read_source.hpp"
#include "compile/spirv_words.hpp"
#include "job/fail_in.hpp"
#include "spirv/assemble.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::job {
namespace {

// The same for Direct3D 12. What is bound where is told by the SPIR-V, whose names the DXIL shares.
Expected<void> add_dxil(const ShaderSource& source, compile::Request request, const compile::Compiler& compiler,
                        Shader& shader) {
  request.target = compile::Target::dxil;
  request.debug_info = false;
  std::erase_if(request.arguments, [](const std::string& argument) {
    return argument.starts_with("-fspv-") || argument.starts_with("-fvk-");
  });
  if (request.profile == compile::article_profile) {  // what it declares, for the model that the device takes
    const auto text = source.text ? Expected<std::string>(*source.text) : compile::read_source(source.file);
    if (!text) {
      return tl::unexpected(text.error());
    }
    request.source = compile::with_article_names(request, *text);
  }
  const auto model = compile::shader_model(request.profile);
  const compile::ShaderModel newest{source.dxil_model[0], source.dxil_model[1]};
  if (model && !newest.at_least(*model)) {
    request.profile = fmt::format("cs_{}_{}", newest.major, newest.minor);
  }
  auto result = compiler.compile(request);
  if (!result) {
    return tl::unexpected(std::move(result.error()));
  }
  if (!result->reflection) {
    return fail(ErrorCode::compiler, fmt::format("the DXIL of '{}' tells nothing of its resources", shader.name));
  }
  return spirv::reflect(shader.words, shader.entry_point)
      .and_then([&](const spirv::Reflection& spirv) { return compile::dxil_interface(*result->reflection, spirv); })
      .map([&](compile::DxilInterface interface) {
        interface.wave_size = result->wave_size ? result->wave_size->single() : 0;
        shader.dxil = std::move(interface);
        shader.dxil_words = compile::words_of(result->binary);
      });
}

Expected<Shader> load_hlsl(const ShaderSource& source, const FindCompiler& find_compiler) {
  const auto compiler = find_compiler();
  if (!compiler) {
    return fail_in(fmt::format("'{}' needs the DirectX Shader Compiler", source.file.string()), compiler.error());
  }
  compile::Request request;
  request.file = source.file;
  request.source = source.text;
  request.entry_point = source.entry_point;
  request.profile = source.profile;
  request.spirv_environment = source.environment;
  request.defines = source.defines;
  request.include_directories = source.include_directories;
  request.types16 = source.types16;
  request.debug_info = true;
  request.arguments = source.arguments;
  auto result = (*compiler)->compile(request);
  if (!result) {
    return tl::unexpected(std::move(result.error()));
  }
  Shader shader{source.file.string(), source.entry_point,         compile::words_of(result->binary), true,
                result->wave_size,    std::move(result->warnings)};
  if (source.dxil_model[0] != 0) {
    if (auto added = add_dxil(source, std::move(request), **compiler, shader); !added) {
      return tl::unexpected(std::move(added.error()));
    }
  }
  return shader;
}

Expected<Shader> load_glsl(const ShaderSource& source) {
  if (source.entry_point != "main") {
    return fail(ErrorCode::invalid_argument, fmt::format("'{}' is GLSL, whose entry point is main, not '{}'",
                                                         source.file.string(), source.entry_point));
  }
  auto result = compile::compile_glsl(
      {source.file, source.text, source.environment, source.defines, source.include_directories, true});
  if (!result) {
    return tl::unexpected(std::move(result.error()));
  }
  return Shader{source.file.string(),       "main", std::move(result->words), false, std::nullopt,
                std::move(result->warnings)};
}

Expected<std::vector<std::uint32_t>> read_binary(const std::filesystem::path& file) {
  std::error_code error;
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (std::filesystem::is_directory(file, error) || !stream) {
    return fail(ErrorCode::invalid_input,
                fmt::format("cannot read '{}': {}", file.string(),
                            stream ? "it is a folder" : std::generic_category().message(errno)));
  }
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  if (text.size() % sizeof(std::uint32_t) != 0) {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("'{}' has {} bytes, and SPIR-V has whole words of 4: copy it again", file.string(), text.size()));
  }
  return compile::words_of(std::as_bytes(std::span(text)));
}

Expected<Shader> load_spirv(const ShaderSource& source) {
  if (!source.defines.empty()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("'{}' is compiled already, so defines make no difference: leave them out, or use its "
                            "specialization constants",
                            source.file.string()));
  }
  Expected<std::vector<std::uint32_t>> words;
  if (source.language == Language::spirv) {
    words = read_binary(source.file);
  } else {
    const auto text = source.text ? Expected<std::string>(*source.text) : compile::read_source(source.file);
    words = text ? spirv::assemble(*text, source.file.string()) : tl::unexpected(text.error());
  }
  if (!words) {
    return tl::unexpected(std::move(words.error()));
  }
  return Shader{source.file.string(), source.entry_point, *std::move(words), false, std::nullopt, ""};
}

}  // namespace

std::optional<Language> language_of(const std::filesystem::path& file) {
  struct Ending {
    std::string_view text;
    Language language;
  };
  constexpr std::array endings = {Ending{".hlsl", Language::hlsl}, Ending{".comp", Language::glsl},
                                  Ending{".glsl", Language::glsl}, Ending{".spv", Language::spirv},
                                  Ending{".spvasm", Language::spirv_assembly}};
  for (const auto& ending : endings) {
    if (file.extension() == ending.text) {
      return ending.language;
    }
  }
  return std::nullopt;
}

Expected<Shader> load_shader(const ShaderSource& source, const FindCompiler& find_compiler) {
  switch (source.language) {
    case Language::hlsl:
      return load_hlsl(source, find_compiler);
    case Language::glsl:
      return load_glsl(source);
    default:
      return load_spirv(source);
  }
}

Expected<void> apply_flags(const std::vector<std::string>& flags, ShaderSource& source) {
  source.types16 = false;
  constexpr std::string_view environment = "-fspv-target-env=";
  for (std::size_t at = 0; at < flags.size(); ++at) {
    const auto& flag = flags[at];
    if (flag == "-spirv") {
      continue;
    }
    if (flag == "-enable-16bit-types") {
      source.types16 = true;
      continue;
    }
    if (flag.starts_with(environment)) {
      source.environment = flag.substr(environment.size());
      continue;
    }
    // These have their value behind them or as the next word; -DX is no flag of two letters more.
    const auto name = flag.substr(0, 2);
    const bool known = name == "-T" || name == "-E" || name == "-D" || name == "-I";
    if (!known) {
      source.arguments.push_back(flag);
      continue;
    }
    if (flag.size() == 2 && at + 1 == flags.size()) {
      return fail(ErrorCode::invalid_input, fmt::format("the compiler's flag {} has no value", flag));
    }
    const auto value = flag.size() == 2 ? flags[++at] : flag.substr(2);
    if (name == "-T") {
      source.profile = value;
    } else if (name == "-E") {
      source.entry_point = value;
    } else if (name == "-I") {
      source.include_directories.emplace_back(value);
    } else {
      const auto equals = value.find('=');
      source.defines.emplace_back(value.substr(0, equals),
                                  equals == std::string::npos ? "1" : value.substr(equals + 1));
    }
  }
  return {};
}

}  // namespace crosslane::job
