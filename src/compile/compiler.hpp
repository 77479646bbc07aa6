// The DirectX Shader Compiler behind a value-returning interface: HLSL in, SPIR-V or DXIL out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/dxil_reflection.hpp"
#include "compile/faults.hpp"
#include "crosslane/error.hpp"

namespace crosslane::compile {

enum class Target : std::uint8_t { spirv, dxil };

struct Request {
  std::filesystem::path file;  ///< read unless `source` is given; names the source in messages
  std::optional<std::string> source;
  std::string entry_point = "main";
  /// Of a compute shader. "cs_6_13" stands for the newest that compiler and source allow, and declares what
  /// crosslane/cs_6_13.hlsli does; an include directory has that file.
  std::string profile = "cs_6_2";
  Target target = Target::spirv;
  std::string spirv_environment = "vulkan1.2";
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::filesystem::path> include_directories;
  bool types16 = true;                 ///< -enable-16bit-types, from profile 6_2 on
  bool debug_info = false;             ///< lines and source in the binary
  std::vector<std::string> arguments;  ///< handed to the compiler as they are
};

/// Lanes per wave that `[WaveSize]` names: one size, or a range from cs_6_8 on.
struct WaveSizeAttribute {
  std::uint32_t minimum = 0;
  std::uint32_t maximum = 0;
  /// The size; 0 for a range, of which the driver chooses.
  [[nodiscard]] std::uint32_t single() const { return minimum == maximum ? minimum : 0; }
};

struct Result {
  std::vector<std::byte> binary;                    ///< SPIR-V, validated, or a DXIL container, also with a checksum
  std::string profile;                              ///< that it was compiled for
  std::vector<std::filesystem::path> dependencies;  ///< the files it was made of, the source first
  std::string warnings;                             ///< the compiler's own, empty if none
  std::optional<WaveSizeAttribute> wave_size;
  std::optional<DxilReflection> reflection;  ///< of DXIL, in builds with Direct3D 12
};

/// One loaded compiler. Thread-safe, but the library beneath works for one thread of the process at a time.
class Compiler {
 public:
  virtual ~Compiler() = default;
  /// The library file it was loaded from.
  [[nodiscard]] virtual const std::filesystem::path& library() const = 0;
  /// "1.8.0.4597"; the last part is the commit count of a source build.
  [[nodiscard]] virtual const std::string& version() const = 0;
  [[nodiscard]] virtual const std::string& commit() const = 0;
  [[nodiscard]] virtual std::uint32_t commit_count() const = 0;
  /// Compiles with the workarounds that `faults()` asks for, and validates what comes out. Errors: `invalid_input`
  /// with the compiler's own diagnostics, `unsupported` for what this compiler cannot do, `compiler` otherwise.
  [[nodiscard]] virtual Expected<Result> compile(const Request& request) const = 0;
  /// The faults this compiler was seen to have; found by probes on first use.
  [[nodiscard]] virtual const Faults& faults() const = 0;
};

struct FindOptions {
  /// Folders tried last, after CROSSLANE_DXC, the Vulkan SDK and the system.
  std::vector<std::filesystem::path> fallback_directories;
};

/// Loads the compiler of this library file. Error: `compiler`, saying why it is none.
Expected<std::unique_ptr<Compiler>> load_compiler(const std::filesystem::path& library);

/// Finds and loads a compiler: CROSSLANE_DXC (a file or folder), then VULKAN_SDK, the system's libraries, the fallback
/// folders. Errors: `compiler` with what was tried and the mend.
Expected<std::unique_ptr<Compiler>> find_compiler(const FindOptions& options = {});

}  // namespace crosslane::compile
