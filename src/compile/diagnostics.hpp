// The compiler's own diagnostics, read so that an Error can say the essential in one sentence.
#pragma once

#include <string>
#include <string_view>

#include "compile/compiler.hpp"

namespace crosslane::compile {

/// What went wrong with a source: `unsupported` where the compiler lacks what it uses, else `invalid_input`. The
/// message holds the first error with its file and line; the only reason is the whole text.
Error explain_failure(const Request& request, const std::string& diagnostics, const Faults& faults);

/// Whether explain_failure's message is that the compiler does not know the profile.
bool says_unknown_profile(std::string_view message);

/// The first error among the diagnostics, in one line with its file and line.
std::string first_error(std::string_view diagnostics);

/// Whether the compiler said that [WaveSize] has no place in SPIR-V.
bool mentions_wave_size(std::string_view diagnostics);

/// The warnings among the diagnostics of a success, without those about what this project takes care of itself: DXIL
/// that is not signed yet, [WaveSize], which is read from DXIL, and what debug information leaves out.
std::string warnings_of(std::string_view diagnostics);

}  // namespace crosslane::compile
