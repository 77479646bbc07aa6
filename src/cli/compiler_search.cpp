#include "cli/compiler_search.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace crosslane::cli {

namespace {

// The folder above the one that the running program lies in; empty if that is unknown.
std::filesystem::path prefix() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : program.parent_path().parent_path();
}

}  // namespace

compile::FindOptions compiler_places() {
  const auto place = prefix();
  return place.empty() ? compile::FindOptions{} : compile::FindOptions{{place / "lib" / "crosslane"}};
}

std::filesystem::path library_headers() {
  const auto place = prefix();
  return place.empty() ? place : place / "share" / "crosslane" / "hlsl";
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
