// One decoded instruction: the function that does it for a whole wave, and where its operands are.
#pragma once

#include <cstdint>

namespace crosslane::machine {

struct Wave;
struct Operation;

using Handler = void (*)(Wave&, const Operation&);

/// Stands for "no operand".
constexpr std::uint32_t no_register = 0xFFFFFFFF;

/// Registers are byte offsets into the wave's registers. What the numbers mean is the handler's affair.
struct Operation {
  Handler handler = nullptr;
  std::uint32_t dst = no_register;
  std::uint32_t a = no_register;
  std::uint32_t b = no_register;
  std::uint32_t c = no_register;
  std::uint32_t d = no_register;
  std::uint32_t count = 0;  ///< elements of a plain loop over lanes and components; else a number of the handler's
  std::uint32_t imm = 0;
  std::uint32_t aux = 0;
  std::uint32_t extra = 0;
  std::uint32_t source = 0;  ///< place in Program::sources
};

}  // namespace crosslane::machine
