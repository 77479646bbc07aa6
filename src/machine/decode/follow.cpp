// Operations that follow undefined values, where the program does so.
#include "machine/decode/decoder.hpp"
#include "machine/handlers.hpp"
#include "machine/poison.hpp"

namespace crosslane::machine {

Ref Decoder::undefined_row(Element element) {
  const Ref zeros = constant_row(element, 0);
  if (!options_.undefined_values) {
    return zeros;
  }
  const Ref row = new_row(element);
  follow_fill(row, 1, bytes_of(element), Cause::undefined_value);
  builder_.emit({.handler = copy_handler(), .dst = row, .a = zeros, .count = row_bytes(element)});
  return row;
}

void Decoder::follow(const DraftOp& op) {
  if (options_.undefined_values) {
    builder_.emit(op);
  }
}

void Decoder::follow(const PoisonRule& rule, Ref result, Ref a, Ref b, Ref c, Ref d) {
  follow({.handler = poison_handler(rule), .dst = result, .a = a, .b = b, .c = c, .d = d, .imm = rule.result_bytes});
}

void Decoder::follow_fill(Ref first, std::uint32_t count, std::uint32_t bytes, Cause cause) {
  follow({.handler = poison_fill_handler(),
          .dst = first,
          .count = count,
          .imm = bytes,
          .aux = static_cast<std::uint32_t>(cause)});
}

}  // namespace crosslane::machine
