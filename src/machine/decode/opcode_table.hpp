// One row per SPIR-V instruction that the machine runs: what family it is counted in, and how it is decoded.
#pragma once

#include <cstdint>
#include <string_view>

#include <spirv/unified1/spirv.hpp11>

#include "crosslane/error.hpp"
#include "spirv/module.hpp"

namespace crosslane::machine {

class Decoder;

enum class Family : std::uint8_t {
  none,  ///< costs nothing: names, types, constants, parts of composites
  integer,
  floating,
  conversion,
  comparison,
  memory,
  atomic,
  wave,
  barrier,
  control,
  image,
};

/// "integer arithmetic", …
std::string_view name(Family family);

struct OpcodeRow {
  spv::Op opcode = spv::Op::OpNop;
  Family family = Family::none;
  Expected<void> (*decode)(Decoder&, const spirv::Statement&) = nullptr;
};

/// Null for instructions that the machine does not know.
const OpcodeRow* find_opcode(spv::Op opcode);

}  // namespace crosslane::machine
