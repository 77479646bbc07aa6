// How the threads of two accesses stand to each other.
#pragma once

#include <cstdint>

namespace crosslane::sanitize {

enum class Relation : std::uint8_t {
  same_instruction,  ///< lanes of one wave, at once
  same_wave,         ///< lanes of one wave, one instruction after the other
  other_wave,        ///< of the same group
  other_group,
};

}  // namespace crosslane::sanitize
