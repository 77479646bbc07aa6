// The compiler's own diagnostics, read so that an Error can say the essential in one sentence.
#pragma once

#include <string>
#include <string_view>

#include "compile/compiler.hpp"

namespace crosslane::compile {

/// What went wrong with a source: `unsupported` where the compiler lacks what it uses, else `invalid_input`. The
/// message holds the first error with its file and line; the only reason is the whole text.
Error explain_failure(const Request& request, const std::string& diagnostics, const Faults& faults);

/// The warnings among the diagnostics of a success, without those about what this project takes care of itself: DXIL
/// that is not signed yet, and [WaveSize], which is read from DXIL.
std::string warnings_of(std::string_view diagnostics);

}  // namespace crosslane::compile
