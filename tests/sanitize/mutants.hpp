// SPIR-V modules with one thing wrong each: what a hand that slips leaves out or changes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crosslane::test {

enum class MutantKind : std::uint8_t { barrier, mask, bound };

/// "barriers removed", "masks changed", "bounds shrunk".
std::string_view name(MutantKind kind);

struct Mutant {
  MutantKind kind = MutantKind::barrier;
  std::string what;  ///< "OpULessThan 3": the third comparison that was shrunk
  std::vector<std::uint32_t> words;
};

/// Every mutant of a module: each barrier and fence left out; each distance or mask of a shuffle one more, each
/// constant mask of a bitwise operation half; each comparison of whole numbers one further.
std::vector<Mutant> mutants(std::span<const std::uint32_t> words);

}  // namespace crosslane::test
