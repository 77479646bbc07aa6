#include "compile/depfile.hpp"

namespace crosslane::compile {
namespace {

std::string escaped(const std::filesystem::path& path) {
  std::string result;
  for (const char character : path.string()) {
    if (character == ' ' || character == '#') {
      result.push_back('\\');
    } else if (character == '$') {
      result.push_back('$');
    }
    result.push_back(character);
  }
  return result;
}

}  // namespace

std::string depfile(const std::filesystem::path& output, std::span<const std::filesystem::path> dependencies) {
  std::string result = escaped(output) + ":";
  for (const auto& dependency : dependencies) {
    result += " \\\n  " + escaped(dependency);
  }
  return result + "\n";
}

}  // namespace crosslane::compile
