#include "compile/compiler.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/compiler_search.hpp"
#include "cli/console.hpp"
#include "cli/flag_checks.hpp"
#include "cli/shader_jobs.hpp"
#include "cli/verb.hpp"
#include "cli/whole_file.hpp"
#include "compile/newest_profile.hpp"
#include "job/shader.hpp"
#include "report/json.hpp"

namespace crosslane::cli {
namespace {

struct CompileFlags {
  std::string source;
  std::string output;
  std::string profile = "cs_6_6";
  std::string entry = "main";
  bool dxil = false;
  bool spirv = false;
  bool debug = false;
  bool force = false;
  std::vector<std::string> defines;
  std::vector<std::string> include_directories;
  std::optional<std::string> environment;  ///< of SPIR-V
};

// What is HLSL has many names (.hlsl, .hlsli, .fx, none); what is something else says so by its own.
Expected<void> check_language(const std::string& source) {
  const std::filesystem::path file = source;
  const auto language = job::language_of(file);
  if (file.extension() == ".test") {
    return fail(ErrorCode::invalid_argument,
                fmt::format("'{}' is a shader with its job, by its name, and compile takes HLSL alone: run it with "
                            "crosslane run, or put the shader into a file of its own",
                            source));
  }
  if (language && *language != job::Language::hlsl) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("'{}' is {} by its name, and compile takes HLSL alone: crosslane run, check and registers "
                            "take it as it is",
                            source, *language == job::Language::glsl ? "GLSL" : "SPIR-V"));
  }
  return {};
}

Expected<void> check_flags(const CompileFlags& flags) {
  if (flags.dxil == flags.spirv) {
    return fail(ErrorCode::invalid_argument,
                "compile makes one of two: ask for --dxil (Direct3D 12) or --spirv (Vulkan)");
  }
  if (flags.dxil && flags.environment) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("--target-env {} is an environment of SPIR-V, which DXIL has not: leave it out, or ask for --spirv",
                    *flags.environment));
  }
  return check_language(flags.source);
}

Expected<compile::Request> request_of(const CompileFlags& flags) {
  compile::Request request;
  request.file = flags.source;
  request.entry_point = flags.entry;
  request.profile = flags.profile;
  request.target = flags.dxil ? compile::Target::dxil : compile::Target::spirv;
  request.spirv_environment = flags.environment.value_or(request.spirv_environment);
  request.debug_info = flags.debug;
  auto macros = parse_macros("-D", flags.defines);
  if (!macros) {
    return tl::unexpected(std::move(macros.error()));
  }
  request.defines = *std::move(macros);
  auto folders = include_directories_of("-I", flags.include_directories);
  if (!folders) {
    return tl::unexpected(std::move(folders.error()));
  }
  request.include_directories = *std::move(folders);
  return request;
}

Expected<void> write_binary(const std::string& name, const FileKind& kind, const std::vector<std::byte>& binary) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): streams know bytes as char only
  return write_whole(name, {reinterpret_cast<const char*>(binary.data()), binary.size()}, kind);
}

Expected<compile::Result> compile_to_file(const CompileFlags& flags) {
  if (auto checked = check_flags(flags); !checked) {
    return tl::unexpected(std::move(checked.error()));
  }
  const FileKind& kind = flags.dxil ? dxil_files : spirv_files;
  if (auto possible = check_output(flags.output, flags.force, kind); !possible) {
    return tl::unexpected(std::move(possible.error()));
  }
  const auto request = request_of(flags);
  if (!request) {
    return tl::unexpected(request.error());
  }
  const auto compiler = compile::find_compiler(compiler_places());
  if (!compiler) {
    return tl::unexpected(compiler.error());
  }
  auto result = (*compiler)->compile(*request);
  if (result) {
    if (auto written = write_binary(flags.output, kind, result->binary); !written) {
      return tl::unexpected(std::move(written.error()));
    }
  }
  return result;
}

std::string alias_note(const compile::Result& result) {
  return fmt::format("{} is no released shader model: compiled for {}, the newest that compiler and source allow",
                     compile::article_profile, result.profile);
}

ExitCode run_compile(const CompileFlags& flags, const Console& console) {
  const auto result = compile_to_file(flags);
  if (!result) {
    return report_error(console, result.error());
  }
  const bool alias = result->profile != flags.profile;
  const std::string_view language = flags.dxil ? "DXIL" : "SPIR-V";
  if (console.json) {
    auto json = report::document();
    json["output"] = flags.output;
    json["language"] = language;
    json["profile"] = result->profile;
    json["bytes"] = result->binary.size();
    if (result->wave_size) {
      json["wave_size"] = {{"minimum", result->wave_size->minimum}, {"maximum", result->wave_size->maximum}};
    }
    json["notes"] = report::Json::array();
    if (alias) {
      json["notes"].push_back(alias_note(*result));
    }
    json["warnings"] = result->warnings;
    console.out << report::dump(json);
    return ExitCode::well;
  }
  console.err << result->warnings;
  if (alias) {
    console.err << "crosslane: note: " << alias_note(*result) << '\n';
  }
  console.out << fmt::format("{}: {} for {}, {} bytes\n", flags.output, language, result->profile,
                             result->binary.size());
  return ExitCode::well;
}

}  // namespace

Verb add_compile(CLI::App& program) {
  CLI::App* const parser =
      program.add_subcommand("compile", "Compile HLSL for Direct3D 12 (DXIL) or Vulkan (SPIR-V), validated");
  const auto flags = std::make_shared<CompileFlags>();
  parser->add_option("SOURCE", flags->source, "A file of HLSL; crosslane/shuffle.hlsli and the others are found")
      ->required();
  parser->add_option("-T,--profile", flags->profile, "Shader model; cs_6_13 is the newest that there is")
      ->capture_default_str();
  parser->add_option("-E,--entry", flags->entry, "The function to start at")->check(check_given)->capture_default_str();
  parser->add_flag("--dxil", flags->dxil, "Make a DXIL container, with its checksum")->disable_flag_override();
  parser->add_flag("--spirv", flags->spirv, "Make a SPIR-V module")->disable_flag_override();
  parser->add_option("-o,--output", flags->output, "File to write")->required();
  add_list_flag(*parser, "-D,--define", flags->defines, "NAME or NAME=VALUE: a macro");
  add_list_flag(*parser, "-I,--include", flags->include_directories, "A folder in which #include looks");
  parser->add_option("--target-env", flags->environment, "Environment of SPIR-V; vulkan1.2 if not given");
  parser->add_flag("--debug", flags->debug, "Lines and source in the binary")->disable_flag_override();
  parser->add_flag("--force", flags->force, "Overwrite the output file if it is there")->disable_flag_override();
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  return {parser, [flags](const Console& console) { return run_compile(*flags, console); }};
}

}  // namespace crosslane::cli
