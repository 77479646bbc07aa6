#include "compile/search.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>
#include <utility>

namespace crosslane::compile {
namespace {

constexpr const char* library_name = "libdxcompiler.so";

std::optional<std::filesystem::path> variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): read only, and nothing here writes it
  if (value == nullptr || *value == '\0') {
    return std::nullopt;
  }
  return std::filesystem::path(value);
}

bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

std::optional<std::filesystem::path> library_in(const std::filesystem::path& directory) {
  for (const char* const folder : {"", "lib"}) {
    const auto library = directory / folder / library_name;
    if (is_file(library)) {
      return library;
    }
  }
  return std::nullopt;
}

Expected<std::vector<Candidate>> chosen_candidate(const std::filesystem::path& chosen) {
  if (is_file(chosen)) {
    return std::vector{Candidate{chosen, "CROSSLANE_DXC"}};
  }
  std::error_code ignored;
  if (!std::filesystem::is_directory(chosen, ignored)) {
    return fail(
        ErrorCode::compiler,
        fmt::format("CROSSLANE_DXC is '{}', but no such file or folder exists: set it to a DirectX Shader Compiler "
                    "library ({}) or to the folder that holds it, or unset it",
                    chosen.string(), library_name));
  }
  auto library = library_in(chosen);
  if (!library) {
    return fail(ErrorCode::compiler, fmt::format("CROSSLANE_DXC is the folder '{}', but neither it nor its lib folder "
                                                 "holds {}: set it to the file itself, or unset it",
                                                 chosen.string(), library_name));
  }
  return std::vector{Candidate{*std::move(library), "CROSSLANE_DXC"}};
}

}  // namespace

SearchEnvironment SearchEnvironment::of_process() { return {variable("CROSSLANE_DXC"), variable("VULKAN_SDK")}; }

Expected<std::vector<Candidate>> candidates(const SearchEnvironment& environment,
                                            const std::vector<std::filesystem::path>& fallback_directories) {
  if (environment.chosen) {
    return chosen_candidate(*environment.chosen);
  }
  std::vector<Candidate> result;
  if (environment.vulkan_sdk) {
    result.push_back({*environment.vulkan_sdk / "lib" / library_name, "VULKAN_SDK"});
  }
  // The bare name asks the loader: LD_LIBRARY_PATH, its cache, its default folders. The rest it may not know.
  result.push_back({library_name, "the system"});
  for (const char* const folder :
       {"/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
    if (const auto library = std::filesystem::path(folder) / library_name; is_file(library)) {
      result.push_back({library, "the system"});
    }
  }
  for (const auto& directory : fallback_directories) {
    result.push_back({library_in(directory).value_or(directory / library_name), "a fallback folder"});
  }
  return result;
}

}  // namespace crosslane::compile
