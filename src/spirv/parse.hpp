// Walks the instructions of a SPIR-V binary, safely: what does not follow SPIR-V's grammar is an Error.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "crosslane/error.hpp"

namespace crosslane::spirv {

struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};

struct Header {
  Version version;
  std::uint32_t generator = 0;
  std::uint32_t id_bound = 0;  ///< every id is below it
};

/// One instruction; it lives as long as the call that it is handed to.
struct Instruction {
  std::uint16_t opcode = 0;
  std::uint32_t type_id = 0;             ///< 0 where it has none
  std::uint32_t result_id = 0;           ///< 0 where it has none
  std::span<const std::uint32_t> words;  ///< the first holds word count and opcode
  std::span<const std::uint32_t> ids;    ///< the ids it uses, without its type and its result
  std::size_t first_word = 0;            ///< where it begins, in words from the start of the module
};

/// Hands every instruction to `visit`, in order; stops at the first Error that it returns and passes it on.
/// Errors: `invalid_input` with SPIRV-Tools' reason for words that are no SPIR-V module of this machine's byte order.
Expected<Header> parse(std::span<const std::uint32_t> words,
                       const std::function<Expected<void>(const Instruction&)>& visit);

/// The text that begins at `words[0]`: UTF-8, ended by a zero byte or by the end of the words.
std::string text_of(std::span<const std::uint32_t> words);

}  // namespace crosslane::spirv
