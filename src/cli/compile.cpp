#include "compile/compiler.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/compiler_search.hpp"
#include "cli/console.hpp"
#include "cli/shader_jobs.hpp"
#include "cli/verb.hpp"
#include "cli/whole_file.hpp"
#include "compile/newest_profile.hpp"
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
  std::string environment = "vulkan1.2";
};

Expected<compile::Request> request_of(const CompileFlags& flags) {
  compile::Request request;
  request.file = flags.source;
  request.entry_point = flags.entry;
  request.profile = flags.profile;
  request.target = flags.dxil ? compile::Target::dxil : compile::Target::spirv;
  request.spirv_environment = flags.environment;
  request.debug_info = flags.debug;
  auto macros = parse_macros("-D", flags.defines);
  if (!macros) {
    return tl::unexpected(std::move(macros.error()));
  }
  request.defines = *std::move(macros);
  request.include_directories.assign(flags.include_directories.begin(), flags.include_directories.end());
  request.include_directories.push_back(library_headers());
  return request;
}

Expected<void> write_binary(const std::string& name, const FileKind& kind, const std::vector<std::byte>& binary) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): streams know bytes as char only
  return write_whole(name, {reinterpret_cast<const char*>(binary.data()), binary.size()}, kind);
}

Expected<compile::Result> compile_to_file(const CompileFlags& flags) {
  if (flags.dxil == flags.spirv) {
    return fail(ErrorCode::invalid_argument,
                "compile makes one of two: ask for --dxil (Direct3D 12) or --spirv (Vulkan)");
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
  parser->add_option("-E,--entry", flags->entry, "The function to start at")->capture_default_str();
  parser->add_flag("--dxil", flags->dxil, "Make a DXIL container, with its checksum")->disable_flag_override();
  parser->add_flag("--spirv", flags->spirv, "Make a SPIR-V module")->disable_flag_override();
  parser->add_option("-o,--output", flags->output, "File to write")->required();
  add_list_flag(*parser, "-D,--define", flags->defines, "NAME or NAME=VALUE: a macro");
  add_list_flag(*parser, "-I,--include", flags->include_directories, "A folder in which #include looks");
  parser->add_option("--target-env", flags->environment, "Environment of SPIR-V")->capture_default_str();
  parser->add_flag("--debug", flags->debug, "Lines and source in the binary")->disable_flag_override();
  parser->add_flag("--force", flags->force, "Overwrite the output file if it is there")->disable_flag_override();
  parser->add_flag("--json", json_flag_help)->disable_flag_override();
  return {parser, [flags](const Console& console) { return run_compile(*flags, console); }};
}

}  // namespace crosslane::cli
