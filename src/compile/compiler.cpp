#include "compile/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <mutex>

#include "compile/arguments.hpp"
#include "compile/diagnostics.hpp"
#include "compile/dxc_library.hpp"
#include "compile/dxil_checksum.hpp"
#include "compile/dxil_container.hpp"
#include "compile/fault_probes.hpp"
#include "compile/messages.hpp"
#include "compile/newest_profile.hpp"
#include "compile/probes.hpp"
#include "compile/read_source.hpp"
#include "compile/search.hpp"
#include "compile/spirv_words.hpp"
#include "spirv/rewrite.hpp"
#include "spirv/validate.hpp"

namespace crosslane::compile {
namespace {

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

/// DXC's names of environments in SPIRV-Tools' spelling.
std::string_view validation_environment(std::string_view environment) {
  if (environment == "vulkan1.1spirv1.4") {
    return "vulkan1.1spv1.4";
  }
  return environment == "universal1.5" ? "spv1.5" : environment;
}

Expected<void> validate_spirv(const Request& request, std::span<const std::uint32_t> words) {
  spirv::ValidationOptions options;
  options.environment = validation_environment(request.spirv_environment);
  options.scalar_block_layout = std::ranges::any_of(request.arguments, [](const std::string& argument) {
    return argument == "-fvk-use-dx-layout" || argument == "-fvk-use-scalar-layout";
  });
  return spirv::validate(words, options);
}

class DxcCompiler final : public Compiler {
 public:
  explicit DxcCompiler(std::unique_ptr<DxcLibrary> library) : library_(std::move(library)) {}

  [[nodiscard]] const std::filesystem::path& library() const override { return library_->file(); }
  [[nodiscard]] const std::string& version() const override { return library_->version(); }
  [[nodiscard]] const std::string& commit() const override { return library_->commit(); }
  [[nodiscard]] std::uint32_t commit_count() const override { return library_->commit_count(); }

  [[nodiscard]] const Faults& faults() const override {
    std::call_once(faults_found_, [this] { faults_ = find_faults(*library_); });
    return faults_;
  }

  [[nodiscard]] Expected<Result> compile(const Request& request) const override {
    try {
      auto result = compile_alias(request);
      if (result) {
        return result;
      }
      // A source that does not compile may be right, and the compiler unfit: say that instead.
      if (auto fit = fitness(); !fit) {
        fit.error().reasons.push_back(std::move(result.error().message));
        return tl::unexpected(std::move(fit.error()));
      }
      return result;
    } catch (const std::exception& exception) {
      return fail(ErrorCode::compiler,
                  fmt::format("compiling '{}' failed: {}", source_name(request), exception.what()));
    }
  }

 private:
  [[nodiscard]] Expected<void> fitness() const {
    std::call_once(fitness_found_, [this] {
      const auto needs = examine_needs([this](const Request& request) { return compile_unexplained(request); });
      fitness_ = require_fit(library(), version(), needs);
    });
    return fitness_;
  }

  [[nodiscard]] Expected<Result> compile_alias(const Request& request) const {
    if (request.profile != article_profile) {
      return compile_unexplained(request);
    }
    const auto source = source_of(request);
    if (!source) {
      return tl::unexpected(source.error());
    }
    Request complete = request;
    complete.source = with_article_names(request, *source);
    auto result =
        compile_newest(std::move(complete), [this](const Request& next) { return compile_unexplained(next); });
    if (result && !request.source) {
      result->dependencies.insert(result->dependencies.begin(), absolute_path(request.file));
    }
    return result;
  }

  static Expected<std::string> source_of(const Request& request) {
    return request.source ? Expected<std::string>(*request.source) : read_source(request.file);
  }

  [[nodiscard]] Expected<Result> compile_unexplained(const Request& request) const {
    const auto model = shader_model(request.profile);
    if (!model) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("'{}' is no profile of a compute shader: write one like cs_6_2", request.profile));
    }
    if (!model->at_least({6, 0})) {
      return fail(ErrorCode::invalid_argument, fmt::format("'{}' is a shader model before 6.0, where waves begin, and "
                                                           "is not compiled: write cs_6_0 or a newer one",
                                                           request.profile));
    }
    const auto source = source_of(request);
    if (!source) {
      return tl::unexpected(source.error());
    }
    return request.target == Target::spirv ? compile_spirv(request, *source) : compile_dxil(request, *source);
  }

  [[nodiscard]] Expected<Result> compile_spirv(const Request& request, const std::string& source) const {
    const auto run = [&](Extensions extensions) {
      return library_->run(source, arguments_for(request, faults(), extensions));
    };
    bool trim = false;
    auto output = run(faults().declares_partitioned ? Extensions::khronos : Extensions::all);
    if (output && !output->succeeded && faults().declares_partitioned) {
      // WaveMatch is made of the partitioned extension, and other sources need other vendors' ones.
      output = run(Extensions::all);
      trim = true;
    }
    if (!output) {
      return tl::unexpected(std::move(output.error()));
    }
    if (!output->succeeded) {
      return tl::unexpected(explain_failure(request, output->diagnostics, faults()));
    }
    auto words = words_of(output->binary);
    if (trim) {
      auto trimmed = spirv::trim_capabilities(words);
      if (!trimmed) {
        return fail_because(fmt::format("'{}' compiled to SPIR-V that cannot be trimmed", source_name(request)),
                            std::move(trimmed.error()));
      }
      words = *std::move(trimmed);
    }
    if (auto valid = validate_spirv(request, words); !valid) {
      valid.error().code = ErrorCode::compiler;
      return fail_because(fmt::format("the compiler made invalid SPIR-V of '{}': {}", source_name(request), mend),
                          std::move(valid.error()));
    }
    Result result;
    result.binary = compile::bytes_of(words);
    result.profile = request.profile;
    result.dependencies = dependencies_of(request, *output);
    result.warnings = warnings_of(output->diagnostics);
    add_wave_size(request, source, output->diagnostics, result);
    return result;
  }

  [[nodiscard]] Expected<Result> compile_dxil(const Request& request, const std::string& source) const {
    auto output = library_->run(source, arguments_for(request, faults(), Extensions::all));
    if (!output) {
      return tl::unexpected(std::move(output.error()));
    }
    if (!output->succeeded) {
      return tl::unexpected(explain_failure(request, output->diagnostics, faults()));
    }
    if (auto valid = library_->validate_dxil(output->binary); !valid) {
      return fail_because(fmt::format("the compiler made invalid DXIL of '{}': {}", source_name(request), mend),
                          std::move(valid.error()));
    }
    Result result;
    result.wave_size = dxil_wave_size(output->binary);
    result.dependencies = dependencies_of(request, *output);
    result.warnings = warnings_of(output->diagnostics);
    result.binary = std::move(output->binary);
    result.profile = request.profile;
    result.reflection = std::move(output->reflection);
    write_dxil_checksum(result.binary);
    return result;
  }

  /// SPIR-V keeps no [WaveSize]; DXIL of the same source does.
  void add_wave_size(const Request& request, const std::string& source, std::string_view diagnostics,
                     Result& result) const {
    if (!faults().drops_wave_size || !shader_model(request.profile).value_or(ShaderModel{}).at_least({6, 6})) {
      return;
    }
    Request dxil = request;
    dxil.target = Target::dxil;
    dxil.debug_info = false;
    std::erase_if(dxil.arguments, [](const std::string& argument) {
      return argument.starts_with("-fspv-") || argument.starts_with("-fvk-");
    });
    const auto output = library_->run(source, arguments_for(dxil, faults(), Extensions::all));
    if (output && output->succeeded) {
      result.wave_size = dxil_wave_size(output->binary);
    } else if (mentions_wave_size(diagnostics)) {
      result.warnings += fmt::format(
          "{}: warning: the lanes per wave of [WaveSize] are unknown, since the source does not compile to DXIL: {}\n",
          source_name(request), output ? first_error(output->diagnostics) : output.error().message);
    }
  }

  static std::vector<std::filesystem::path> dependencies_of(const Request& request, const DxcOutput& output) {
    std::vector<std::filesystem::path> files;
    if (!request.source) {
      files.push_back(absolute_path(request.file));
    }
    std::ranges::copy_if(output.included_files, std::back_inserter(files),
                         [&](const auto& file) { return std::ranges::find(files, file) == files.end(); });
    return files;
  }

  std::unique_ptr<DxcLibrary> library_;
  mutable std::once_flag faults_found_;
  mutable Faults faults_;
  mutable std::once_flag fitness_found_;
  mutable Expected<void> fitness_;
};

}  // namespace

Expected<std::unique_ptr<Compiler>> load_compiler(const std::filesystem::path& library) {
  auto loaded = load_dxc_library(library);
  if (!loaded) {
    return tl::unexpected(std::move(loaded.error()));
  }
  return std::make_unique<DxcCompiler>(*std::move(loaded));
}

Expected<std::unique_ptr<Compiler>> find_compiler(const FindOptions& options) {
  const auto places = candidates(SearchEnvironment::of_process(), options.fallback_directories);
  if (!places) {
    return tl::unexpected(places.error());
  }
  std::vector<std::string> reasons;
  std::vector<std::string> tried;
  for (const Candidate& candidate : *places) {
    auto compiler = load_compiler(candidate.library);
    if (compiler) {
      return compiler;
    }
    tried.push_back(fmt::format("'{}' ({})", candidate.library.string(), candidate.origin));
    reasons.push_back(std::move(compiler.error().message));
    if (candidate.origin == "CROSSLANE_DXC") {
      return fail(ErrorCode::compiler,
                  fmt::format("CROSSLANE_DXC names '{}', which is no DirectX Shader Compiler that can be used: {}",
                              candidate.library.string(), mend),
                  std::move(reasons));
    }
  }
  return fail(ErrorCode::compiler,
              fmt::format("no DirectX Shader Compiler found; tried {}; set CROSSLANE_DXC, or run scripts/fetch-dxc.sh",
                          fmt::join(tried, ", ")),
              std::move(reasons));
}

}  // namespace crosslane::compile
