// From SPIR-V to a program for one wave size.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crosslane/device.hpp"
#include "crosslane/error.hpp"
#include "machine/program.hpp"
#include "spirv/module.hpp"

namespace crosslane::machine {

struct DecodeOptions {
  std::string entry_point = "main";
  std::vector<SpecializationConstant> constants = {};
  std::uint32_t wave_size = 32;  ///< 1 to 128
  bool observed = false;         ///< operations tell an observer what they do
  bool instructions = true;      ///< and which instruction begins; with `observed`
  /// Lanes may go on while others wait at an earlier place: every result keeps a register of its own, which only active
  /// lanes write (Schedule::one_lane, Schedule::parting_lanes).
  bool independent_lanes = false;
  bool undefined_values = false;  ///< and follow values that are undefined; with `observed`
};

/// Errors: `invalid_argument` for a wave size, entry point or specialization constant that cannot be; `invalid_input`
/// for a malformed module; `unsupported` for what the machine does not run, with the instruction, its source line and
/// the capability.
Expected<Program> decode(const spirv::Module& module, const DecodeOptions& options);

/// Validates a binary and decodes it. Errors: as `decode`, and `invalid_input` with the reasons for what is not valid.
Expected<Program> make_program(std::span<const std::uint32_t> words, const DecodeOptions& options);

}  // namespace crosslane::machine
