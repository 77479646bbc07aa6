// Extended instructions: GLSL.std.450. Those of the NonSemantic sets do nothing.
#include <utility>

#include <fmt/format.h>

#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/decode/glsl.hpp"

namespace crosslane::machine {

Expected<void> decode_extended(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  const auto set = decoder.module().imports.find(words[2]);
  if (set == decoder.module().imports.end()) {
    return decoder.malformed(statement, "its instruction set is not imported");
  }
  if (set->second.starts_with("NonSemantic.")) {
    return {};
  }
  if (set->second != "GLSL.std.450") {
    return decoder.refuse(statement, fmt::format("the instruction set {}", set->second));
  }
  return decode_glsl(decoder, statement, words[3]);
}

}  // namespace crosslane::machine
