// Judges a compiler by what it can do and by the faults that it has, not by its number alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.hpp"
#include "compile/need_probes.hpp"

namespace crosslane::compile {

/// "1.8.2407 or later" as the commit count of a build from source.
inline constexpr std::uint32_t commit_count_of_1_8_2407 = 4656;

/// All that is known about one compiler.
struct CompilerReport {
  std::filesystem::path library;
  std::string version;
  std::string commit;
  std::uint32_t commit_count = 0;
  std::vector<ProbeResult> needs;   ///< a compiler that fails one of them is unfit
  std::vector<ProbeResult> faults;  ///< a fault that was seen switches its workaround, and is no reason to refuse
  std::string standing;             ///< `standing()` of it

  [[nodiscard]] bool fit() const;
};

/// Puts every question to the compiler.
CompilerReport examine(const Compiler& compiler);

/// How a compiler stands to "1.8.2407 or later": "at least 1.8.2407, accepted by probes, workarounds: …" or "below
/// 1.8.2407, …". `version` is "1.8.0.4597" for a build from source, and has year and month, "1.8.2407.12", for a
/// release.
std::string standing(std::string_view version, std::uint32_t commit_count, const std::vector<ProbeResult>& needs,
                     const std::vector<ProbeResult>& faults);

/// Success for a fit compiler; else `compiler` with what it cannot do and the mend.
Expected<void> require_fit(const std::filesystem::path& library, std::string_view version,
                           const std::vector<ProbeResult>& needs);

}  // namespace crosslane::compile
