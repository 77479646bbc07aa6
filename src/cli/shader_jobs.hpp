// What `crosslane run` and `crosslane check` are given: a shader and its job, from files and flags, ready to run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "job/job.hpp"
#include "job/shader.hpp"
#include "job/test_file.hpp"
#include "spirv/reflection.hpp"

namespace CLI {
class App;
}

namespace crosslane::cli {

/// "NAME=VALUE" of a flag.
struct Assignment {
  std::string name;
  std::string value;
};

/// Splits at the first '='. Errors: `invalid_argument` naming the flag where there is none, or nothing before it.
/// `value` says what comes behind it: "FILE.npy".
Expected<Assignment> split_assignment(const std::string& flag, const std::string& text,
                                      std::string_view value = "VALUE");

/// Macros of a flag, each "NAME" or "NAME=VALUE"; the value is 1 where there is none. Errors: `invalid_argument` for
/// one without a name.
Expected<std::vector<std::pair<std::string, std::string>>> parse_macros(std::string_view flag,
                                                                        const std::vector<std::string>& texts);

/// Folders of a flag, in which #include looks, and the library's own headers last. Errors: `invalid_argument` for what
/// is no folder.
Expected<std::vector<std::filesystem::path>> include_directories_of(std::string_view flag,
                                                                    const std::vector<std::string>& texts);

struct ShaderFlags {
  std::string shader;
  std::string job;                         ///< a file; empty where there is none
  std::optional<std::uint32_t> wave_size;  ///< to ask for
  std::string entry;                       ///< empty: the job's, else main
  std::string profile;
  std::vector<std::uint32_t> groups;  ///< up to three; empty: the job's, else one
  std::vector<std::string> specializations;
  std::vector<std::string> defines;
  std::vector<std::string> include_directories;
  std::vector<std::string> inputs;  ///< NAME=FILE.npy
  std::vector<std::string> sizes;   ///< NAME=BYTES
  /// Buffers that no flag describes are made up: sizes from the dispatch, numbers from a seed.
  bool makes_up = false;
};

/// Declares them, all but the wave size, on a verb's parser.
void add_shader_flags(CLI::App& parser, ShaderFlags& flags);
/// Declares a flag that may be given several times.
void add_list_flag(CLI::App& parser, const char* name, std::vector<std::string>& values, const char* help);

/// What comes from the files before there is a device.
struct ShaderFiles {
  std::optional<job::TestFile> test;
  std::optional<job::Language> language;  ///< of the shader, where it is a file of its own
  std::optional<job::Job> job;
};

/// Errors: `invalid_argument` for a shader of no known language, those of reading files and jobs.
Expected<ShaderFiles> read_shader_files(const ShaderFlags& flags);

/// One shader and its job, which says nothing that the device lacks.
struct ShaderJob {
  job::Shader shader;
  job::Language language = job::Language::hlsl;
  spirv::Reflection reflection;
  job::Job job;
  std::optional<std::uint32_t> wave_size;  ///< to ask for
};

struct ShaderJobs {
  std::vector<ShaderJob> jobs;
  std::vector<std::string> notes;      ///< what was left out, and warnings of the compiler
  std::optional<std::string> skipped;  ///< why nothing can be run
};

/// Compiles, and makes a job of the flags where no file has one. Errors: those of compiling, of flags that do not suit
/// the shader, and of jobs.
Expected<ShaderJobs> load_shader_jobs(const ShaderFlags& flags, ShaderFiles files, const DeviceInfo& device,
                                      const job::FindCompiler& find_compiler);

}  // namespace crosslane::cli
