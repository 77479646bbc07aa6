// The build-time tool behind cmake/CrosslaneKernels.cmake: compiles one kernel, or embeds compiled ones as C++.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "compile/compiler.hpp"
#include "compile/depfile.hpp"
#include "compile/embed.hpp"
#include "compile/embed_dxil.hpp"
#include "compile/spirv_words.hpp"
#include "spirv/reflection.hpp"

namespace {

using crosslane::Error;
using crosslane::ErrorCode;
using crosslane::Expected;
using crosslane::fail;
namespace compile = crosslane::compile;

struct CompileOptions {
  compile::Request request;
  std::string source;
  std::vector<std::string> defines;
  std::vector<std::string> include_directories;
  std::string compiler;
  std::string output;
  std::string depfile;
  std::string spirv;            ///< what the same source became, where DXIL is wanted; else empty
  std::uint32_t wave_size = 0;  ///< that the DXIL asks for; 0: none
};

struct EmbedOptions {
  std::string function;
  std::string output;
  std::string list;
  std::vector<std::string> kernels;
  std::vector<std::uint32_t> wave_sizes;  ///< that there may be DXIL of too
  std::string dxil;                       ///< folder of what --dxil-of wrote; empty for none
};

/// Splits "name=value"; the value is empty where there is none.
std::pair<std::string, std::string> split(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals == std::string::npos ? std::pair{text, std::string{}}
                                     : std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

/// All of the bytes or no file at all.
Expected<void> write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::error_code error;
  if (path.has_parent_path()) {
    std::filesystem::create_directories(path.parent_path(), error);
  }
  auto unfinished = path;
  unfinished += ".part";
  std::ofstream stream(unfinished, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (stream) {
    std::filesystem::rename(unfinished, path, error);
  }
  if (!stream || error) {
    std::filesystem::remove(unfinished, error);
    return fail(ErrorCode::invalid_argument, fmt::format("cannot write '{}': is its folder writable?", path.string()));
  }
  return {};
}

Expected<std::vector<std::uint32_t>> read_words(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  if (!stream || bytes.size() % sizeof(std::uint32_t) != 0 || bytes.empty()) {
    return fail(ErrorCode::invalid_input, fmt::format("'{}' cannot be read as SPIR-V: compile it again", path));
  }
  return compile::words_of(std::as_bytes(std::span(bytes)));
}

// A kernel that does not ask would run in waves of any size, and be taken for one that asks.
Expected<void> check_wave_size(const CompileOptions& options, const compile::Result& result) {
  if (options.wave_size == 0 || (result.wave_size && result.wave_size->single() == options.wave_size)) {
    return {};
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("'{}' does not ask for waves of {} lanes: write CROSSLANE_WAVE_SIZE_ATTRIBUTE of "
                          "crosslane/wave_size.hlsli before its [numthreads]",
                          options.source, options.wave_size));
}

// C++ that declares the kernel for Direct3D 12.
Expected<std::string> declare_dxil(const CompileOptions& options, const compile::Result& result) {
  if (!result.reflection) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("'{}': this build cannot look into DXIL: configure with -DCROSSLANE_D3D12=ON", options.source));
  }
  return read_words(options.spirv)
      .and_then([](const std::vector<std::uint32_t>& words) { return crosslane::spirv::reflect(words, "main"); })
      .and_then(
          [&](const crosslane::spirv::Reflection& spirv) { return compile::dxil_interface(*result.reflection, spirv); })
      .map([&](compile::DxilInterface interface) {
        interface.wave_size = result.wave_size ? result.wave_size->single() : 0;
        return compile::dxil_declarations(interface, compile::words_of(result.binary));
      });
}

Expected<void> compile_kernel(CompileOptions options) {
  // What an earlier run left must not pass for this one's result.
  std::error_code ignored;
  std::filesystem::remove(options.output, ignored);

  auto compiler = options.compiler.empty() ? compile::find_compiler() : compile::load_compiler(options.compiler);
  if (!compiler) {
    return tl::unexpected(std::move(compiler.error()));
  }
  compile::Request& request = options.request;
  request.file = options.source;
  request.target = options.spirv.empty() ? compile::Target::spirv : compile::Target::dxil;
  for (const std::string& define : options.defines) {
    request.defines.push_back(split(define));
  }
  if (options.wave_size != 0) {
    request.defines.emplace_back("CROSSLANE_WAVE_SIZE", std::to_string(options.wave_size));
  }
  request.include_directories.assign(options.include_directories.begin(), options.include_directories.end());
  const auto result = (*compiler)->compile(request);
  if (!result) {
    return tl::unexpected(result.error());
  }
  if (auto asks = check_wave_size(options, *result); !asks) {
    return asks;
  }
  // Those of the same source were seen when its SPIR-V was made; DXIL adds that it has no use for what is Vulkan's.
  if (options.spirv.empty() && !result->warnings.empty()) {
    fmt::print(stderr, "{}", result->warnings);
  }
  if (!options.depfile.empty()) {
    auto written = write_file(options.depfile, compile::depfile(options.output, result->dependencies));
    if (!written) {
      return written;
    }
  }
  if (!options.spirv.empty()) {
    return declare_dxil(options, *result).and_then([&](const std::string& text) {
      return write_file(options.output, text);
    });
  }
  return write_file(options.output, {reinterpret_cast<const char*>(result->binary.data()), result->binary.size()});
}

// A kernel's DXIL, where it is not for Vulkan alone: for any wave size first.
void read_dxil(const EmbedOptions& options, const std::string& name, std::vector<std::string>& shaders) {
  std::vector<std::string> endings = {".dxil"};
  for (const std::uint32_t size : options.wave_sizes) {
    endings.push_back(fmt::format(".wave{}.dxil", size));
  }
  for (const std::string& ending : endings) {
    if (std::ifstream stream(std::filesystem::path(options.dxil) / (name + ending)); stream) {
      shaders.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
  }
}

Expected<void> embed_kernels(EmbedOptions options) {
  if (!options.list.empty()) {
    std::ifstream stream(options.list);
    if (!stream) {
      return fail(ErrorCode::invalid_input, fmt::format("cannot read the list '{}'", options.list));
    }
    for (std::string line; std::getline(stream, line);) {
      options.kernels.push_back(line);
    }
  }
  std::vector<compile::EmbeddedKernel> kernels;
  for (const std::string& kernel : options.kernels) {
    const auto [name, path] = split(kernel);
    auto words = read_words(path);
    if (!words) {
      return tl::unexpected(std::move(words.error()));
    }
    kernels.push_back({name, *std::move(words)});
    if (!options.dxil.empty()) {
      read_dxil(options, name, kernels.back().dxil);
    }
  }
  const auto file = compile::embed(options.function, std::move(kernels));
  if (!file) {
    return tl::unexpected(file.error());
  }
  return write_file(options.output, *file);
}

int exit_code(const Expected<void>& done) {
  if (done) {
    return 0;
  }
  const Error& error = done.error();
  fmt::print(stderr, "error: {}\n", error.message);
  for (const std::string& reason : error.reasons) {
    fmt::print(stderr, "{}\n", reason);
  }
  return error.code == ErrorCode::compiler || error.code == ErrorCode::device ? 3 : 2;
}

int run(int argument_count, const char* const* arguments) {
  CLI::App app("Compiles Crosslane's kernels at build time.", "crosslane-kernelc");
  app.require_subcommand(1);

  CompileOptions compiling;
  compiling.request.types16 = false;
  CLI::App* const compile_command = app.add_subcommand("compile", "Compile one kernel to validated SPIR-V");
  compile_command->add_option("--source", compiling.source, "HLSL file")->required();
  compile_command->add_option("--entry", compiling.request.entry_point, "Entry point")->capture_default_str();
  compile_command->add_option("--profile", compiling.request.profile, "Shader profile")->capture_default_str();
  compile_command->add_option("--define", compiling.defines, "Macro, NAME or NAME=VALUE")->take_all();
  compile_command->add_option("--include", compiling.include_directories, "Folder for #include")->take_all();
  compile_command->add_option("--argument", compiling.request.arguments, "Handed to the compiler as it is")->take_all();
  compile_command->add_flag("--types16", compiling.request.types16, "Real 16-bit types");
  compile_command->add_flag("--debug", compiling.request.debug_info, "Source lines in the binary");
  compile_command->add_option("--compiler", compiling.compiler, "Compiler library; found by itself if not given");
  compile_command->add_option("--output", compiling.output, "SPIR-V file to write")->required();
  compile_command->add_option("--dxil-of", compiling.spirv,
                              "Write C++ that declares DXIL instead; FILE is the SPIR-V of the same source");
  compile_command->add_option("--wave-size", compiling.wave_size,
                              "Lanes per wave that the DXIL asks for, by CROSSLANE_WAVE_SIZE_ATTRIBUTE");
  compile_command->add_option("--depfile", compiling.depfile, "Where to list the files it was made of");

  EmbedOptions embedding;
  CLI::App* const embed_command = app.add_subcommand("embed", "Write compiled kernels as a C++ file");
  embed_command->add_option("--function", embedding.function, "C++ function that returns the table")->required();
  embed_command->add_option("--output", embedding.output, "C++ file to write")->required();
  embed_command->add_option("--list", embedding.list, "File with one NAME=FILE.spv a line");
  embed_command->add_option("--dxil", embedding.dxil, "Folder of what --dxil-of wrote, as NAME.dxil; embedded too");
  embed_command->add_option("--wave-size", embedding.wave_sizes, "Also NAME.wave<SIZE>.dxil")->take_all();
  embed_command->add_option("kernels", embedding.kernels, "NAME=FILE.spv");

  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return exit_code(compile_command->parsed() ? compile_kernel(std::move(compiling))
                                             : embed_kernels(std::move(embedding)));
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    return run(argument_count, arguments);
  } catch (const std::exception& exception) {
    std::fputs("error: ", stderr);
    std::fputs(exception.what(), stderr);
    std::fputs("\n", stderr);
    return 3;
  }
}
