#include "cli/run_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "cli/run_arrays.hpp"
#include "compile/read_source.hpp"
#include "job/fail_in.hpp"
#include "job/read_job.hpp"
#include "job/requirements.hpp"
#include "job/test_file.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::cli {
namespace {

// What comes from the files before there is a device.
struct Files {
  std::optional<job::TestFile> test;
  std::optional<job::Language> language;
  std::optional<job::Job> job;
};

Expected<Files> read_files(const RunFlags& flags) {
  Files files;
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
  files.language = job::language_of(path);
  if (!files.language) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("'{}' is no shader by its name: name a file that ends in .hlsl, .comp, .glsl, .spv, .spvasm "
                    "or .test",
                    flags.shader));
  }
  if (!flags.job.empty()) {
    const auto text = compile::read_source(flags.job);
    auto job = text ? job::read_job(*text, flags.job) : tl::unexpected(text.error());
    if (!job) {
      return tl::unexpected(std::move(job.error()));
    }
    files.job = *std::move(job);
  }
  return files;
}

// The newest environment that the device takes.
std::string environment_for(const DeviceInfo& device) {
  return device.api_version.starts_with("1.2") ? "vulkan1.2" : "vulkan1.3";
}

Expected<job::ShaderSource> shader_source(const RunFlags& flags, job::Language language, const DeviceInfo& device) {
  job::ShaderSource source;
  source.file = flags.shader;
  source.language = language;
  source.environment = environment_for(device);
  source.include_directories.assign(flags.include_directories.begin(), flags.include_directories.end());
  for (const auto& define : flags.defines) {
    const auto equals = define.find('=');
    if (equals == 0 || define.empty()) {
      return fail(ErrorCode::invalid_argument, fmt::format("--define {}: write NAME or NAME=VALUE", define));
    }
    source.defines.emplace_back(define.substr(0, equals),
                                equals == std::string::npos ? "1" : define.substr(equals + 1));
  }
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
Expected<void> take_specializations(const RunFlags& flags, const spirv::Reflection& shader, job::Job& job) {
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

void take_groups(const RunFlags& flags, job::Job& job) {
  if (!flags.groups.empty()) {
    job.groups = {1, 1, 1};
    std::ranges::copy(flags.groups, job.groups.begin());
  }
}

std::string lacks_text(const job::Job& job, const DeviceInfo& device) {
  return fmt::format("the job needs {}, which {} lacks", fmt::join(job.lacks, ", "), device.id);
}

struct Prepared {
  job::Shader shader;
  spirv::Reflection reflection;
};

Expected<Prepared> prepare(const job::ShaderSource& source, const job::FindCompiler& find_compiler,
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
  return Prepared{*std::move(shader), *std::move(reflection)};
}

Expected<void> run_one(Device& device, const Prepared& prepared, job::Job job, const RunFlags& flags,
                       std::optional<std::uint32_t> wave_size, RunReport& report) {
  if (!job.lacks.empty()) {
    report.skipped = lacks_text(job, device.info());
    return {};
  }
  take_groups(flags, job);
  if (auto taken = take_specializations(flags, prepared.reflection, job); !taken) {
    return taken;
  }
  auto execution = job::execute(device, prepared.shader, job, {.wave_size = wave_size});
  if (!execution) {
    return tl::unexpected(std::move(execution.error()));
  }
  auto written = write_outputs(flags, prepared.reflection, prepared.shader.registers, job);
  if (!written) {
    return tl::unexpected(std::move(written.error()));
  }
  report.notes.insert(report.notes.end(), job.notes.begin(), job.notes.end());
  report.runs.push_back({prepared.shader.entry_point, std::move(job), *std::move(execution), *std::move(written)});
  return {};
}

Expected<void> run_files(Device& device, const RunFlags& flags, Files files, const job::FindCompiler& find_compiler,
                         RunReport& report) {
  auto source = shader_source(flags, *files.language, device.info());
  if (!source) {
    return tl::unexpected(std::move(source.error()));
  }
  source->entry_point = !flags.entry.empty() ? flags.entry : files.job ? files.job->entry_point : "main";
  if (files.job && !files.job->lacks.empty()) {
    report.skipped = lacks_text(*files.job, device.info());
    return {};
  }
  const auto prepared = prepare(*source, find_compiler, report.notes);
  if (!prepared) {
    return tl::unexpected(prepared.error());
  }
  if (!files.job) {
    auto job = job_of_arrays(flags, prepared->reflection);
    if (!job) {
      return tl::unexpected(std::move(job.error()));
    }
    // The job is made of the shader's own bindings, whatever they were in the source.
    auto as_bound = *prepared;
    as_bound.shader.registers = false;
    return run_one(device, as_bound, *std::move(job), flags, flags.wave_size, report);
  }
  if (auto taken = take_inputs(flags, prepared->reflection, prepared->shader.registers, *files.job); !taken) {
    return taken;
  }
  return run_one(device, *prepared, *std::move(files.job), flags, flags.wave_size, report);
}

Expected<void> run_test(Device& device, const RunFlags& flags, const job::TestFile& test,
                        const job::FindCompiler& find_compiler, RunReport& report) {
  const auto fitness = job::examine(test, flags.shader, device.info(), flags.wave_size);
  if (!fitness) {
    return tl::unexpected(fitness.error());
  }
  if (fitness->skipped) {
    report.skipped = fitness->skipped;
    return {};
  }
  if (fitness->expected_failure) {
    report.notes.push_back(fmt::format("the file expects to fail (XFAIL: {})", *fitness->expected_failure));
  }
  const auto runs = test.runs(job::features_of(device.info(), fitness->wave_size));
  if (!runs) {
    return tl::unexpected(runs.error());
  }
  for (const auto& skipped : runs->skipped) {
    report.notes.push_back(fmt::format("skipped: {}", skipped));
  }
  if (runs->runs.empty()) {
    report.skipped = "no RUN line runs a job that can be run here";
  }
  const bool default_size = fitness->wave_size == device.info().wave_sizes.standard && !flags.wave_size;
  for (const auto& run : runs->runs) {
    auto job = job::read_job(run.pipeline->text, flags.shader, run.pipeline->first_line);
    if (!job) {
      return tl::unexpected(std::move(job.error()));
    }
    if (!job->lacks.empty()) {
      report.skipped = lacks_text(*job, device.info());
      continue;
    }
    auto source = shader_source(flags, job::Language::hlsl, device.info());
    if (!source) {
      return tl::unexpected(std::move(source.error()));
    }
    source->text = fmt::format("#line {}\n{}", run.source->first_line, run.source->text);
    if (auto applied = job::apply_flags(run.compiler_flags, *source); !applied) {
      return job::fail_in(fmt::format("'{}' cannot be compiled", flags.shader), std::move(applied.error()));
    }
    source->entry_point = !flags.entry.empty() ? flags.entry : source->entry_point;
    const auto prepared = prepare(*source, find_compiler, report.notes);
    if (!prepared) {
      return tl::unexpected(prepared.error());
    }
    if (auto taken = take_inputs(flags, prepared->reflection, prepared->shader.registers, *job); !taken) {
      return taken;
    }
    const auto wave_size = default_size ? std::nullopt : std::optional(fitness->wave_size);
    if (auto done = run_one(device, *prepared, *std::move(job), flags, wave_size, report); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace

bool RunReport::all_hold() const {
  return std::ranges::all_of(runs, [](const RunOutcome& run) { return run.execution.all_hold(); });
}

Expected<Assignment> split_assignment(const std::string& flag, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return fail(ErrorCode::invalid_argument, fmt::format("{} {}: write NAME=VALUE", flag, text));
  }
  return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

Expected<RunReport> run_shader(const RunFlags& flags, const OpenDevice& open_device,
                               const job::FindCompiler& find_compiler) {
  auto files = read_files(flags);
  if (!files) {
    return tl::unexpected(std::move(files.error()));
  }
  const auto device = open_device();
  if (!device) {
    return tl::unexpected(device.error());
  }
  RunReport report;
  report.device = (*device)->info();
  auto done = files->test ? run_test(**device, flags, *files->test, find_compiler, report)
                          : run_files(**device, flags, *std::move(files), find_compiler, report);
  if (!done) {
    return tl::unexpected(std::move(done.error()));
  }
  return report;
}

}  // namespace crosslane::cli
