// The DirectX Shader Compiler's library, loaded. The only place that talks to its COM interfaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/dxil_reflection.hpp"
#include "crosslane/error.hpp"

namespace crosslane::compile {

/// What came out of one run of the compiler.
struct DxcOutput {
  bool succeeded = false;
  std::vector<std::byte> binary;                      ///< empty unless it succeeded
  std::string diagnostics;                            ///< errors and warnings as the compiler wrote them
  std::optional<DxilReflection> reflection;           ///< of DXIL, in builds with Direct3D 12
  std::vector<std::filesystem::path> included_files;  ///< absolute, normalised, each once, in the order of first use
};

/// One loaded library. Thread-safe: every run has its own compiler object. The library stays loaded until the process
/// ends, since its own threads' storage does not survive being unloaded.
class DxcLibrary {
 public:
  virtual ~DxcLibrary() = default;
  [[nodiscard]] virtual const std::filesystem::path& file() const = 0;
  [[nodiscard]] virtual const std::string& version() const = 0;  ///< "1.8.0.4597"; empty if it does not say
  [[nodiscard]] virtual const std::string& commit() const = 0;   ///< empty if it does not say
  [[nodiscard]] virtual std::uint32_t commit_count() const = 0;  ///< 0 if it does not say
  /// Runs the compiler on UTF-8 text with exactly these arguments. Error: `compiler` if it could not run at all; a
  /// source that does not compile is an output that has not succeeded.
  [[nodiscard]] virtual Expected<DxcOutput> run(std::string_view source,
                                                const std::vector<std::string>& arguments) const = 0;
  /// Checks a DXIL container with the library's validator. Error: `compiler` with what it found.
  [[nodiscard]] virtual Expected<void> validate_dxil(std::span<const std::byte> container) const = 0;
};

/// Loads a library: a file, or a bare name that the system's loader looks up. Errors: `compiler`, saying why the file
/// is no DirectX Shader Compiler.
Expected<std::unique_ptr<DxcLibrary>> load_dxc_library(const std::filesystem::path& file);

}  // namespace crosslane::compile
