#include "cli/compiler_search.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace crosslane::cli {

compile::FindOptions compiler_places() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return {};
  }
  return {.fallback_directories = {program.parent_path().parent_path() / "lib" / "crosslane"}};
}

job::FindCompiler find_compiler_when_needed() {
  return [found = std::shared_ptr<compile::Compiler>()]() mutable -> Expected<const compile::Compiler*> {
    if (!found) {
      auto compiler = compile::find_compiler(compiler_places());
      if (!compiler) {
        return tl::unexpected(std::move(compiler.error()));
      }
      found = *std::move(compiler);
    }
    return found.get();
  };
}

}  // namespace crosslane::cli
