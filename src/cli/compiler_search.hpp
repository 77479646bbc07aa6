// The shader compiler as the program finds it.
#pragma once

#include <filesystem>

#include "compile/compiler.hpp"
#include "job/shader.hpp"

namespace crosslane::cli {

/// The program's own fallback, after all that compile::find_compiler looks at: ../lib/crosslane from the folder that
/// the running program lies in, where installation puts the compiler.
compile::FindOptions compiler_places();

/// Where the library's own headers are, ../share/crosslane/hlsl from that folder; shaders of users may include them
/// without saying where. Empty if the program's own place is unknown.
std::filesystem::path library_headers();

/// Looks there when it is first called, for shaders that need the compiler, and keeps what it finds.
job::FindCompiler find_compiler_when_needed();

}  // namespace crosslane::cli
