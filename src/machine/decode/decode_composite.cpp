// Composites are lists of rows: taking them apart and putting them together costs nothing.
#include <algorithm>
#include <utility>

#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

// Which leaves the part of a composite is that literal indices lead to.
struct Part {
  std::size_t first = 0;
  std::size_t count = 0;
};

Expected<Part> find_part(Decoder& decoder, const spirv::Statement& statement, std::uint32_t type_id,
                         std::span<const std::uint32_t> indices) {
  Part part;
  for (const auto index : indices) {
    const auto& type = decoder.type(type_id);
    if (type.opcode == Op::OpTypeStruct) {
      if (index >= type.operands.size()) {
        return decoder.malformed(statement, "an index is outside of the composite");
      }
      for (std::uint32_t member = 0; member < index; ++member) {
        const auto leaves = decoder.leaves(type.operands[member]);
        part.first += leaves ? leaves->size() : 0;
      }
      type_id = type.operands[index];
    } else {
      if (index >= decoder.element_count(type_id)) {
        return decoder.malformed(statement, "an index is outside of the composite");
      }
      type_id = type.operands[0];
      const auto leaves = decoder.leaves(type_id);
      part.first += index * (leaves ? leaves->size() : 0);
    }
  }
  auto leaves = decoder.leaves(type_id);
  if (!leaves) {
    return tl::unexpected<Error>(std::move(leaves.error()));
  }
  part.count = leaves->size();
  return part;
}

// A pointer inside a composite is a row of bits.
Expected<std::vector<Ref>> rows_of(Decoder& decoder, const spirv::Statement& statement, const Value& value) {
  if (!value.pointer) {
    return value.leaves;
  }
  const auto bits = decoder.fat_pointer(*value.pointer, statement);
  if (!bits) {
    return tl::unexpected<Error>(bits.error());
  }
  return std::vector<Ref>{*bits};
}

}  // namespace

Expected<void> decode_construct(Decoder& decoder, const spirv::Statement& statement) {
  Value composite{statement.type_id, {}, {}};
  for (const auto id : decoder.module().operands(statement).subspan(2)) {
    auto value = decoder.value(id);
    if (!value) {
      return tl::unexpected<Error>(std::move(value.error()));
    }
    auto rows = rows_of(decoder, statement, *value);
    if (!rows) {
      return tl::unexpected<Error>(std::move(rows.error()));
    }
    composite.leaves.insert(composite.leaves.end(), rows->begin(), rows->end());
  }
  return set_result(decoder, statement, std::move(composite));
}

Expected<void> decode_extract(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto composite = decoder.value(words[2]);
  if (!composite) {
    return tl::unexpected<Error>(std::move(composite.error()));
  }
  auto part = find_part(decoder, statement, composite->type, words.subspan(3));
  if (!part) {
    return tl::unexpected<Error>(std::move(part.error()));
  }
  const auto leaves = std::span<const Ref>(composite->leaves).subspan(part->first, part->count);
  return set_result(decoder, statement, Value{statement.type_id, {leaves.begin(), leaves.end()}, {}});
}

Expected<void> decode_insert(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto object = decoder.value(words[2]);
  auto composite = decoder.value(words[3]);
  if (!object || !composite) {
    return tl::unexpected<Error>(object ? composite.error() : object.error());
  }
  auto part = find_part(decoder, statement, composite->type, words.subspan(4));
  auto rows = rows_of(decoder, statement, *object);
  if (!part || !rows) {
    return tl::unexpected<Error>(part ? rows.error() : part.error());
  }
  if (rows->size() != part->count) {
    return decoder.malformed(statement, "what is inserted has not the type of its place");
  }
  std::ranges::copy(*rows, composite->leaves.begin() + static_cast<std::ptrdiff_t>(part->first));
  return set_result(decoder, statement, std::move(*composite));
}

Expected<void> decode_vector_shuffle(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto values = operand_values(decoder, statement, 2, 2);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  auto both = (*values)[0].leaves;
  both.insert(both.end(), (*values)[1].leaves.begin(), (*values)[1].leaves.end());
  Value result{statement.type_id, {}, {}};
  for (const auto component : words.subspan(4)) {
    constexpr std::uint32_t undefined = 0xFFFFFFFF;
    if (component != undefined && component >= both.size()) {
      return decoder.malformed(statement, "a component is outside of both vectors");
    }
    result.leaves.push_back(component == undefined ? decoder.undefined_row(decoder.element(statement.type_id))
                                                   : both[component]);
  }
  return set_result(decoder, statement, std::move(result));
}

// The component that an index chooses, by selections; the last one where it is outside.
Expected<void> decode_extract_dynamic(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto vector = decoder.value(words[2]);
  auto index = index_row(decoder, words[3]);
  if (!vector || !index) {
    return tl::unexpected<Error>(vector ? index.error() : vector.error());
  }
  const auto element = decoder.element(statement.type_id);
  Ref chosen = vector->leaves.back();
  for (std::size_t component = 0; component + 1 < vector->leaves.size(); ++component) {
    const Ref is_it = decoder.apply(comparison_handler(Op::OpIEqual, Element::int32), Element::boolean, *index,
                                    decoder.constant_row(Element::int32, component));
    chosen = decoder.apply(select_handler(bytes_of(element)), element, is_it, vector->leaves[component], chosen, {},
                           {.kind = PoisonKind::select});
  }
  return set_result(decoder, statement, Value{statement.type_id, {chosen}, {}});
}

Expected<void> decode_insert_dynamic(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  auto vector = decoder.value(words[2]);
  auto component = decoder.value(words[3]);
  auto index = index_row(decoder, words[4]);
  if (!vector || !component || !index) {
    return tl::unexpected<Error>(!vector ? vector.error() : !component ? component.error() : index.error());
  }
  const auto element = decoder.element(statement.type_id);
  Value result{statement.type_id, {}, {}};
  for (std::size_t place = 0; place < vector->leaves.size(); ++place) {
    const Ref is_it = decoder.apply(comparison_handler(Op::OpIEqual, Element::int32), Element::boolean, *index,
                                    decoder.constant_row(Element::int32, place));
    result.leaves.push_back(decoder.apply(select_handler(bytes_of(element)), element, is_it, component->leaves[0],
                                          vector->leaves[place], {}, {.kind = PoisonKind::select}));
  }
  return set_result(decoder, statement, std::move(result));
}

// OpCopyObject, OpCopyLogical, and hints about values.
Expected<void> decode_copy(Decoder& decoder, const spirv::Statement& statement) {
  return set_result(decoder, statement, decoder.value(decoder.module().operands(statement)[2]));
}

Expected<void> decode_undefined(Decoder& decoder, const spirv::Statement& statement) {
  auto elements = decoder.leaves(statement.type_id);
  if (!elements) {
    return tl::unexpected<Error>(std::move(elements.error()));
  }
  Value zeros{statement.type_id, {}, {}};
  for (const auto element : *elements) {
    zeros.leaves.push_back(decoder.undefined_row(element));
  }
  return set_result(decoder, statement, std::move(zeros));
}

}  // namespace crosslane::machine
