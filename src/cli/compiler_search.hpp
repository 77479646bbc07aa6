// The shader compiler as the program finds it.
#pragma once

#include "compile/compiler.hpp"

namespace crosslane::cli {

/// The program's own fallback, after all that compile::find_compiler looks at: ../lib/crosslane from the folder that
/// the running program lies in, where installation puts the compiler.
compile::FindOptions compiler_places();

}  // namespace crosslane::cli
