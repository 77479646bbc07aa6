#include "compile/glsl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <exception>
#include <memory>
#include <string_view>

#include <SPIRV/GlslangToSpv.h>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>

#include "compile/read_source.hpp"
#include "spirv/validate.hpp"

namespace crosslane::compile {
namespace {

struct Environment {
  std::string_view name;
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion language;
};

constexpr std::array environments = {
    Environment{"vulkan1.1", glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3},
    Environment{"vulkan1.2", glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5},
    Environment{"vulkan1.3", glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6},
};

// glslang's tables, made on first use and freed when the program ends.
class Process {
 public:
  static void start() { static const Process process; }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

 private:
  Process() { glslang::InitializeProcess(); }
  ~Process() { glslang::FinalizeProcess(); }
};

// Finds included files beside the one that includes them, then in the folders of the request.
class Includer final : public glslang::TShader::Includer {
 public:
  explicit Includer(const GlslRequest& request) : request_(&request) {}

  IncludeResult* includeLocal(const char* header, const char* includer, std::size_t depth) override {
    return find({std::filesystem::path(includer).parent_path()}, header, depth);
  }
  IncludeResult* includeSystem(const char* header, const char* /*includer*/, std::size_t depth) override {
    return find({}, header, depth);
  }
  // Everything lives until the compilation ends, since messages name the files.
  void releaseInclude(IncludeResult* /*result*/) override {}

 private:
  struct File {
    std::string text;
    std::unique_ptr<IncludeResult> result;
  };

  IncludeResult* find(std::vector<std::filesystem::path> folders, const std::string& header, std::size_t depth) {
    constexpr std::size_t deepest = 100;
    folders.insert(folders.end(), request_->include_directories.begin(), request_->include_directories.end());
    for (const auto& folder : folders) {
      std::error_code error;
      const auto path = folder / header;
      if (depth > deepest || !std::filesystem::is_regular_file(path, error)) {
        continue;
      }
      if (auto text = read_source(path)) {
        auto& file = files_.emplace_back(File{*std::move(text), nullptr});
        file.result = std::make_unique<IncludeResult>(path.string(), file.text.data(), file.text.size(), nullptr);
        return file.result.get();
      }
    }
    return nullptr;
  }

  const GlslRequest* request_;
  std::deque<File> files_;
};

std::string source_name(const GlslRequest& request) {
  return request.file.empty() ? std::string("source.comp") : request.file.string();
}

// What stands before the source. Defines come first, so that a shader's own #version may follow.
std::string preamble(const GlslRequest& request) {
  std::string text = "#extension GL_GOOGLE_include_directive : enable\n";
  for (const auto& [name, value] : request.defines) {
    text += fmt::format("#define {} {}\n", name, value);
  }
  return text;
}

std::string trimmed(std::string_view text) {
  const auto blank = [](char character) { return std::isspace(static_cast<unsigned char>(character)) != 0; };
  while (!text.empty() && blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && blank(text.back())) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

// The first error of a log, without glslang's mark for it: "blur.comp:7: 'x' : undeclared identifier".
std::string first_error(std::string_view log) {
  constexpr std::string_view mark = "ERROR: ";
  const auto begin = log.find(mark);
  if (begin == std::string_view::npos) {
    return log.empty() ? "glslang gave no reason" : trimmed(log.substr(0, log.find('\n')));
  }
  const auto line = log.substr(begin + mark.size());
  return trimmed(line.substr(0, line.find('\n')));
}

tl::unexpected<Error> does_not_compile(const GlslRequest& request, std::string_view log) {
  return fail(ErrorCode::invalid_input,
              fmt::format("'{}' does not compile as GLSL: {}", source_name(request), first_error(log)), {trimmed(log)});
}

Expected<GlslResult> compile(const GlslRequest& request, const std::string& source, const Environment& environment) {
  constexpr int default_version = 450;
  constexpr int input_version = 100;
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules | EShMsgCascadingErrors |
                                                 (request.debug_info ? EShMsgDebugInfo : EShMsgDefault));
  Process::start();
  Includer includer(request);  // outlives what is compiled, as the texts below do
  const std::string name = source_name(request);
  const std::string before = preamble(request);
  const char* const text = source.data();
  const char* const text_name = name.c_str();
  const auto length = static_cast<int>(source.size());

  glslang::TShader shader(EShLangCompute);
  shader.setStringsWithLengthsAndNames(&text, &length, &text_name, 1);
  shader.setPreamble(before.c_str());
  shader.setEntryPoint("main");
  shader.setSourceEntryPoint("main");
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, input_version);
  shader.setEnvClient(glslang::EShClientVulkan, environment.client);
  shader.setEnvTarget(glslang::EShTargetSpv, environment.language);
  if (!shader.parse(GetDefaultResources(), default_version, false, messages, includer)) {
    return does_not_compile(request, shader.getInfoLog());
  }
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) {
    return does_not_compile(request, program.getInfoLog());
  }
  glslang::SpvOptions options;
  options.generateDebugInfo = request.debug_info;
  spv::SpvBuildLogger logger;
  GlslResult result;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), result.words, &logger, &options);
  if (result.words.empty()) {
    return does_not_compile(request, logger.getAllMessages());
  }
  result.warnings = trimmed(std::string(shader.getInfoLog()) + logger.getAllMessages());
  return result;
}

}  // namespace

Expected<GlslResult> compile_glsl(const GlslRequest& request) {
  const auto* const environment = std::ranges::find(environments, request.environment, &Environment::name);
  if (environment == environments.end()) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("\"{}\" is no environment for GLSL: use vulkan1.1, vulkan1.2 or vulkan1.3", request.environment));
  }
  const auto source = request.source ? Expected<std::string>(*request.source) : read_source(request.file);
  if (!source) {
    return tl::unexpected(source.error());
  }
  try {
    auto result = compile(request, *source, *environment);
    if (!result) {
      return result;
    }
    const spirv::ValidationOptions rules{environment->name, true, true};
    if (auto valid = spirv::validate(result->words, rules); !valid) {
      valid.error().code = ErrorCode::compiler;
      return fail_because(fmt::format("glslang made invalid SPIR-V of '{}'", source_name(request)),
                          std::move(valid.error()));
    }
    return result;
  } catch (const std::exception& exception) {
    return fail(ErrorCode::compiler, fmt::format("compiling '{}' failed: {}", source_name(request), exception.what()));
  }
}

}  // namespace crosslane::compile
