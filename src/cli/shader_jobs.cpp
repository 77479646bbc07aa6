#include "cli/shader_jobs.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/compiler_search.hpp"
#include "cli/flag_checks.hpp"
#include "cli/run_arrays.hpp"
#include "compile/read_source.hpp"
#include "job/fail_in.hpp"
#include "job/read_job.hpp"
#include "job/requirements.hpp"

namespace crosslane::cli {
namespace {

// The newest environment that the device takes.
std::string environment_for(const DeviceInfo& device) {
  return device.api_version.starts_with("1.2") ? "vulkan1.2" : "vulkan1.3";
}

Expected<job::ShaderSource> shader_source(const ShaderFlags& flags, job::Language language, const DeviceInfo& device) {
  job::ShaderSource source;
  source.file = flags.shader;
  source.language = language;
  source.environment = environment_for(device);
  source.dxil_model = device.shader_model;
  auto folders = include_directories_of("--include", flags.include_directories);
  if (!folders) {
    return tl::unexpected(std::move(folders.error()));
  }
  source.include_directories = *std::move(folders);
  auto macros = parse_macros("--define", flags.defines);
  if (!macros) {
    return tl::unexpected(std::move(macros.error()));
  }
  source.defines = *std::move(macros);
  if (!flags.profile.empty()) {
    if (language != job::Language::hlsl) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--profile: '{}' is not HLSL, which alone has profiles", flags.shader));
    }
    source.profile = flags.profile;
  }
  return source;
}

// --spec NAME=VALUE, by name or id; what the job says of the same constant gives way.
Expected<void> take_specializations(const ShaderFlags& flags, const spirv::Reflection& shader, job::Job& job) {
  for (const auto& text : flags.specializations) {
    const auto assignment = split_assignment("--spec", text);
    if (!assignment) {
      return tl::unexpected(assignment.error());
    }
    const auto constant = std::ranges::find_if(shader.specialization, [&](const spirv::SpecializationInfo& info) {
      return assignment->name == info.name || assignment->name == std::to_string(info.id);
    });
    if (constant == shader.specialization.end()) {
      std::vector<std::string> names;
      for (const auto& info : shader.specialization) {
        names.push_back(info.name.empty() ? std::to_string(info.id) : fmt::format("{} ({})", info.name, info.id));
      }
      return fail(ErrorCode::invalid_argument,
                  names.empty() ? fmt::format("--spec {}: the shader has no specialization constants", assignment->name)
                                : fmt::format("--spec {}: the shader has no such specialization constant, only {}",
                                              assignment->name, fmt::join(names, ", ")));
    }
    const auto format = job::format_of(constant->type);
    const auto bits = job::parse_number(assignment->value, format);
    if (!bits) {
      return fail(ErrorCode::invalid_argument, fmt::format("--spec {}: {}", assignment->name, bits.error().message));
    }
    std::erase_if(job.constants, [&](const job::JobConstant& given) { return given.id == constant->id; });
    job.constants.push_back({constant->id, format, *bits});
  }
  return {};
}

void take_groups(const ShaderFlags& flags, job::Job& job) {
  if (!flags.groups.empty()) {
    job.groups = {1, 1, 1};
    std::ranges::copy(flags.groups, job.groups.begin());
  }
}

std::string lacks_text(const job::Job& job, const DeviceInfo& device) {
  return fmt::format("the job needs {}, which {} lacks", fmt::join(job.lacks, ", "), device.id);
}

Expected<ShaderJob> prepare(const job::ShaderSource& source, const job::FindCompiler& find_compiler,
                            std::vector<std::string>& notes) {
  auto shader = job::load_shader(source, find_compiler);
  if (!shader) {
    return tl::unexpected(std::move(shader.error()));
  }
  auto reflection = spirv::reflect(shader->words, shader->entry_point);
  if (!reflection) {
    return job::fail_in(fmt::format("'{}' cannot be run", shader->name), std::move(reflection.error()));
  }
  if (!shader->warnings.empty()) {
    notes.push_back(shader->warnings);
  }
  return ShaderJob{*std::move(shader), source.language, *std::move(reflection), {}, {}};
}

Expected<void> add_job(ShaderJob prepared, job::Job job, const ShaderFlags& flags, const DeviceInfo& device,
                       ShaderJobs& jobs) {
  if (!job.lacks.empty()) {
    jobs.skipped = lacks_text(job, device);
    return {};
  }
  take_groups(flags, job);
  if (auto taken = take_specializations(flags, prepared.reflection, job); !taken) {
    return taken;
  }
  prepared.job = std::move(job);
  jobs.jobs.push_back(std::move(prepared));
  return {};
}

Expected<void> load_files(const ShaderFlags& flags, ShaderFiles files, const DeviceInfo& device,
                          const job::FindCompiler& find_compiler, ShaderJobs& jobs) {
  auto source = shader_source(flags, *files.language, device);
  if (!source) {
    return tl::unexpected(std::move(source.error()));
  }
  source->entry_point = !flags.entry.empty() ? flags.entry : files.job ? files.job->entry_point : "main";
  if (files.job && !files.job->lacks.empty()) {
    jobs.skipped = lacks_text(*files.job, device);
    return {};
  }
  auto prepared = prepare(*source, find_compiler, jobs.notes);
  if (!prepared) {
    return tl::unexpected(std::move(prepared.error()));
  }
  prepared->wave_size = flags.wave_size;
  if (!files.job) {
    auto job = job_of_arrays(flags, prepared->reflection, jobs.notes);
    if (!job) {
      return tl::unexpected(std::move(job.error()));
    }
    // The job is made of the shader's own bindings, whatever they were in the source.
    prepared->shader.registers = false;
    return add_job(*std::move(prepared), *std::move(job), flags, device, jobs);
  }
  if (auto taken = take_inputs(flags, prepared->reflection, prepared->shader.registers, *files.job); !taken) {
    return taken;
  }
  return add_job(*std::move(prepared), *std::move(files.job), flags, device, jobs);
}

Expected<void> load_test(const ShaderFlags& flags, const job::TestFile& test, const DeviceInfo& device,
                         const job::FindCompiler& find_compiler, ShaderJobs& jobs) {
  const auto fitness = job::examine(test, flags.shader, device, flags.wave_size);
  if (!fitness) {
    return tl::unexpected(fitness.error());
  }
  if (fitness->skipped) {
    jobs.skipped = fitness->skipped;
    return {};
  }
  if (fitness->expected_failure) {
    jobs.notes.push_back(fmt::format("the file expects to fail (XFAIL: {})", *fitness->expected_failure));
  }
  const auto runs = test.runs(job::features_of(device, fitness->wave_size));
  if (!runs) {
    return tl::unexpected(runs.error());
  }
  for (const auto& skipped : runs->skipped) {
    jobs.notes.push_back(fmt::format("skipped: {}", skipped));
  }
  if (runs->runs.empty()) {
    jobs.skipped = "no RUN line runs a job that can be run here";
  }
  const bool default_size = fitness->wave_size == device.wave_sizes.standard && !flags.wave_size;
  for (const auto& run : runs->runs) {
    auto job = job::read_job(run.pipeline->text, flags.shader, run.pipeline->first_line);
    if (!job) {
      return tl::unexpected(std::move(job.error()));
    }
    if (!job->lacks.empty()) {
      jobs.skipped = lacks_text(*job, device);
      continue;
    }
    auto source = shader_source(flags, job::Language::hlsl, device);
    if (!source) {
      return tl::unexpected(std::move(source.error()));
    }
    source->text = fmt::format("#line {}\n{}", run.source->first_line, run.source->text);
    if (auto applied = job::apply_flags(run.compiler_flags, *source); !applied) {
      return job::fail_in(fmt::format("'{}' cannot be compiled", flags.shader), std::move(applied.error()));
    }
    source->entry_point = !flags.entry.empty() ? flags.entry : source->entry_point;
    auto prepared = prepare(*source, find_compiler, jobs.notes);
    if (!prepared) {
      return tl::unexpected(std::move(prepared.error()));
    }
    if (auto taken = take_inputs(flags, prepared->reflection, prepared->shader.registers, *job); !taken) {
      return taken;
    }
    prepared->wave_size = default_size ? std::nullopt : std::optional(fitness->wave_size);
    if (auto done = add_job(*std::move(prepared), *std::move(job), flags, device, jobs); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace

Expected<Assignment> split_assignment(const std::string& flag, const std::string& text, std::string_view value) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return fail(ErrorCode::invalid_argument, fmt::format("{} {}: write NAME={}", flag, text, value));
  }
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

Expected<std::vector<std::pair<std::string, std::string>>> parse_macros(std::string_view flag,
                                                                        const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> macros;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == 0 || text.empty()) {
      return fail(ErrorCode::invalid_argument, fmt::format("{} {}: write NAME or NAME=VALUE", flag, text));
    }
    macros.emplace_back(text.substr(0, equals), equals == std::string::npos ? "1" : text.substr(equals + 1));
  }
  return macros;
}

Expected<std::vector<std::filesystem::path>> include_directories_of(std::string_view flag,
                                                                    const std::vector<std::string>& texts) {
  std::vector<std::filesystem::path> folders(texts.begin(), texts.end());
  for (const auto& folder : folders) {
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
      return fail(ErrorCode::invalid_argument, fmt::format("{} {}: there is no such folder: name one in which "
                                                           "#include looks",
                                                           flag, folder.string()));
    }
  }
  folders.push_back(library_headers());
  return folders;
}

void add_list_flag(CLI::App& parser, const char* name, std::vector<std::string>& values, const char* help) {
  parser.add_option(name, values, help)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_shader_flags(CLI::App& parser, ShaderFlags& flags) {
  parser
      .add_option("SHADER", flags.shader,
                  "A file of HLSL (.hlsl), GLSL (.comp, .glsl), SPIR-V (.spv, .spvasm), or "
                  "one that holds shader and job (.test)")
      ->required();
  parser.add_option("--job", flags.job, "What to dispatch, on which buffers, with which results (YAML)")
      ->check(check_given);
  parser.add_option("--entry", flags.entry, "The function to start at; the job's, else main if not given")
      ->check(check_given);
  parser.add_option("--groups", flags.groups, "Thread groups to dispatch, X or X,Y or X,Y,Z; the job's, else 1")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(std::uint32_t{1}, std::numeric_limits<std::uint32_t>::max()));
  add_list_flag(parser, "--in", flags.inputs,
                "NAME=FILE.npy: fill a buffer, named as in the job or shader, or by its binding");
  add_list_flag(parser, "--size", flags.sizes, "NAME=BYTES: size of a buffer that nothing fills");
  add_list_flag(parser, "--spec", flags.specializations, "NAME=VALUE: a specialization constant, by its name or id");
  add_list_flag(parser, "--define", flags.defines, "NAME or NAME=VALUE: a macro");
  add_list_flag(parser, "--include", flags.include_directories, "A folder in which #include looks");
  parser.add_option("--profile", flags.profile, "Shader model of HLSL; cs_6_6 if not given")->check(check_given);
}

Expected<ShaderFiles> read_shader_files(const ShaderFlags& flags) {
  ShaderFiles files;
  if (const auto folders = include_directories_of("--include", flags.include_directories); !folders) {
    return tl::unexpected(folders.error());
  }
  if (flags.groups.size() > 3) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--groups {}: a dispatch has three dimensions: write X,Y,Z", fmt::join(flags.groups, ",")));
  }
  const std::filesystem::path path = flags.shader;
  if (path.extension() == ".test") {
    if (!flags.job.empty()) {
      return fail(ErrorCode::invalid_argument, fmt::format("'{}' brings its own job: leave --job out", flags.shader));
    }
    const auto text = compile::read_source(path);
    auto test = text ? job::TestFile::parse(*text, flags.shader) : tl::unexpected(text.error());
    if (!test) {
      return tl::unexpected(std::move(test.error()));
    }
    files.test = *std::move(test);
    return files;
  }
  if (path.extension() == ".dxil" || path.extension() == ".cso") {
    return fail(
        ErrorCode::unsupported,
        fmt::format("'{}' is compiled for Direct3D, which is not read here: name its HLSL source, or SPIR-V that "
                    "vkd3d 2.1 or later makes of it (vkd3d-compiler -b spirv-binary -o shader.spv {})",
                    flags.shader, flags.shader));
  }
  files.language = job::language_of(path);
  if (!files.language) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("'{}' is no shader by its name: name a file that ends in .hlsl, .comp, .glsl, .spv, .spvasm "
                    "or .test",
                    flags.shader));
  }
  if (!flags.job.empty()) {
    const auto text = compile::read_source(flags.job, "a job");
    auto job = text ? job::read_job(*text, flags.job) : tl::unexpected(text.error());
    if (!job) {
      return tl::unexpected(std::move(job.error()));
    }
    files.job = *std::move(job);
  }
  return files;
}

Expected<ShaderJobs> load_shader_jobs(const ShaderFlags& flags, ShaderFiles files, const DeviceInfo& device,
                                      const job::FindCompiler& find_compiler) {
  ShaderJobs jobs;
  auto done = files.test ? load_test(flags, *files.test, device, find_compiler, jobs)
                         : load_files(flags, std::move(files), device, find_compiler, jobs);
  if (!done) {
    return tl::unexpected(std::move(done.error()));
  }
  return jobs;
}

}  // namespace crosslane::cli
