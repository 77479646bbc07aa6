#include "machine/decode/decoder.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <spirv-tools/libspirv.h>

#include "machine/control.hpp"
#include "machine/decode/opcode_table.hpp"
#include "machine/handlers.hpp"
#include "machine/memory.hpp"
#include "machine/observe.hpp"
#include "spirv/names.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

// What one value may fill registers with, in scalars: a larger one belongs into groupshared memory or a buffer.
constexpr std::uint64_t largest_value = 65536;

}  // namespace

Decoder::Decoder(const spirv::Module& module, const DecodeOptions& options, Program& program)
    : module_(module), options_(options), program_(program), builder_(program) {}

const spirv::Type& Decoder::type(std::uint32_t id) const {
  static const spirv::Type unknown;
  const auto* found = module_.tables.type(id);
  return found == nullptr ? unknown : *found;
}

std::uint32_t Decoder::type_of(std::uint32_t id) const {
  const auto found = module_.type_of.find(id);
  return found == module_.type_of.end() ? 0 : found->second;
}

std::uint64_t Decoder::element_count(std::uint32_t id) const {
  const auto& array = type(id);
  return array.opcode == Op::OpTypeArray ? constant(array.operands[1]).value_or(0) : array.count;
}

Element Decoder::element(std::uint32_t id) const {
  const auto* scalar = &type(id);
  while (scalar->opcode == Op::OpTypeVector || scalar->opcode == Op::OpTypeMatrix) {
    scalar = &type(scalar->operands[0]);
  }
  switch (scalar->opcode) {
    case Op::OpTypeBool:
      return Element::boolean;
    case Op::OpTypeInt:
      switch (scalar->operands[0]) {
        case 8:
          return Element::int8;
        case 16:
          return Element::int16;
        case 64:
          return Element::int64;
        default:
          return Element::int32;
      }
    case Op::OpTypeFloat:
      switch (scalar->operands[0]) {
        case 16:
          return Element::float16;
        case 64:
          return Element::float64;
        default:
          return Element::float32;
      }
    default:
      return Element::int64;
  }
}

bool Decoder::is_signed(std::uint32_t id) const {
  const auto* scalar = &type(id);
  while (scalar->opcode == Op::OpTypeVector) {
    scalar = &type(scalar->operands[0]);
  }
  return scalar->opcode == Op::OpTypeInt && scalar->operands[1] != 0;
}

Expected<void> Decoder::add_leaves(std::uint32_t id, std::vector<Element>& leaves) const {
  const auto& composite = type(id);
  const auto too_large = [id] {
    return fail(ErrorCode::unsupported,
                fmt::format("A value of the type %{} has more than {} scalars; keep it in groupshared memory or a "
                            "buffer and read parts of it.",
                            id, largest_value));
  };
  switch (composite.opcode) {
    case Op::OpTypeStruct:
      for (const auto member : composite.operands) {
        if (type(member).bytes == 0) {
          continue;  // empty structs may nest without limit
        }
        if (auto added = add_leaves(member, leaves); !added) {
          return added;
        }
      }
      return {};
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray: {
      std::vector<Element> one;
      if (auto added = add_leaves(composite.operands[0], one); !added) {
        return added;
      }
      const auto count = element_count(id);
      if (spirv::saturating_multiply(count, one.size()) + leaves.size() > largest_value) {
        return too_large();
      }
      for (std::uint64_t i = 0; i < count; ++i) {
        leaves.insert(leaves.end(), one.begin(), one.end());
      }
      return {};
    }
    case Op::OpTypeVoid:
      return {};
    default:
      if (leaves.size() == largest_value) {
        return too_large();
      }
      leaves.push_back(element(id));
      return {};
  }
}

Expected<std::vector<Element>> Decoder::leaves(std::uint32_t id) const {
  std::vector<Element> elements;
  if (auto added = add_leaves(id, elements); !added) {
    return tl::unexpected<Error>(std::move(added.error()));
  }
  return elements;
}

Expected<Value> Decoder::value(std::uint32_t id) {
  for (auto* scope : {scope_, &globals_}) {
    if (scope != nullptr) {
      if (const auto found = scope->find(id); found != scope->end()) {
        return found->second;
      }
    }
  }
  if (options_.undefined_values && undefined_constants_.contains(id)) {
    auto elements = leaves(type_of(id));
    Value undefined{type_of(id), {}, {}};
    for (std::size_t leaf = 0; elements && leaf < elements->size(); ++leaf) {
      undefined.leaves.push_back(undefined_row((*elements)[leaf]));
    }
    return undefined;  // made anew at every use, where its operations run
  }
  if (const auto found = constant_leaves_.find(id); found != constant_leaves_.end()) {
    auto made = constant_value(type_of(id), found->second);
    if (made) {
      globals_[id] = *made;
    }
    return made;
  }
  return fail(ErrorCode::invalid_input, fmt::format("The id %{} is used and never defined.", id));
}

Expected<Pointer> Decoder::pointer(std::uint32_t id) {
  auto found = value(id);
  if (!found) {
    return tl::unexpected<Error>(std::move(found.error()));
  }
  if (found->pointer) {
    return *found->pointer;
  }
  const auto& pointer_type = type(found->type);
  if (pointer_type.opcode != Op::OpTypePointer || found->leaves.size() != 1) {
    return fail(ErrorCode::invalid_input, fmt::format("The id %{} is used as a pointer and is none.", id));
  }
  return pointer_from_bits(found->type, found->leaves[0]);
}

Pointer Decoder::pointer_from_bits(std::uint32_t pointer_type, Ref bits) const {
  const auto storage = static_cast<spv::StorageClass>(type(pointer_type).operands[0]);
  Pointer pointer;
  pointer.kind = storage == spv::StorageClass::PhysicalStorageBuffer ? PointerKind::physical : PointerKind::fat;
  pointer.pointee = type(pointer_type).operands[1];
  pointer.layout = storage == spv::StorageClass::Workgroup ? Layout::packed : Layout::described;
  pointer.offset = bits;
  return pointer;
}

void Decoder::set_value(std::uint32_t id, Value value) {
  (scope_ == nullptr ? globals_ : *scope_)[id] = std::move(value);
}

Expected<Value> Decoder::new_value(std::uint32_t id) {
  auto elements = leaves(id);
  if (!elements) {
    return tl::unexpected<Error>(std::move(elements.error()));
  }
  return Value{id, rows_for(*elements), {}};
}

// Rows of one kind lie side by side.
std::vector<Ref> Decoder::rows_for(std::span<const Element> elements) {
  std::vector<Ref> rows;
  rows.reserve(elements.size());
  for (std::size_t first = 0; first < elements.size();) {
    std::size_t end = first + 1;
    while (end < elements.size() && elements[end] == elements[first]) {
      ++end;
    }
    const auto bytes = row_bytes(elements[first]);
    const Ref start = builder_.allocate(static_cast<std::uint32_t>(end - first) * bytes);
    for (std::uint32_t row = 0; first < end; ++first, ++row) {
      rows.push_back({start.reg, row * bytes});
    }
  }
  return rows;
}

Ref Decoder::contiguous(std::span<const Ref> leaves, Element element) {
  const auto bytes = row_bytes(element);
  if (run_length(leaves, bytes) == leaves.size()) {
    return leaves[0];
  }
  const Ref rows = builder_.allocate(static_cast<std::uint32_t>(leaves.size()) * bytes);
  for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const Ref row{rows.reg, leaf * bytes};
    follow({}, row, leaves[leaf]);
    builder_.emit({.handler = copy_handler(), .dst = row, .a = leaves[leaf], .count = bytes});
  }
  return rows;
}

std::optional<std::uint64_t> Decoder::constant(std::uint32_t id) const {
  const auto found = constant_leaves_.find(id);
  return found == constant_leaves_.end() || found->second.size() != 1 ? std::nullopt : std::optional(found->second[0]);
}

Ref Decoder::constant_row(Element element, std::uint64_t bits) {
  const std::array one = {bits};
  return constant_rows(element, one);
}

Ref Decoder::constant_rows(Element element, std::span<const std::uint64_t> bits) {
  const auto size = bytes_of(element);
  auto& made = constant_rows_[{size, {bits.begin(), bits.end()}}];
  if (made.none()) {
    std::vector<std::byte> bytes;
    bytes.reserve(bits.size() * row_bytes(element));
    for (const auto value : bits) {
      for (std::uint32_t lane = 0; lane < padded(); ++lane) {
        for (std::uint32_t byte = 0; byte < size; ++byte) {
          bytes.push_back(static_cast<std::byte>(value >> (8U * byte)));
        }
      }
    }
    made = builder_.allocate_initial(std::move(bytes));
  }
  return made;
}

Expected<Value> Decoder::constant_value(std::uint32_t id, std::span<const std::uint64_t> bits) {
  auto elements = leaves(id);
  if (!elements) {
    return tl::unexpected<Error>(std::move(elements.error()));
  }
  Value value{id, {}, {}};
  for (std::size_t first = 0; first < elements->size();) {
    std::size_t end = first + 1;
    while (end < elements->size() && (*elements)[end] == (*elements)[first]) {
      ++end;
    }
    const auto bytes = row_bytes((*elements)[first]);
    const Ref start = constant_rows((*elements)[first], bits.subspan(first, end - first));
    for (std::uint32_t row = 0; first < end; ++first, ++row) {
      value.leaves.push_back({start.reg, start.offset + row * bytes});
    }
  }
  return value;
}

std::size_t run_length(std::span<const Ref> leaves, std::uint32_t bytes) {
  std::size_t length = 1;
  while (length < leaves.size() && leaves[length].reg == leaves[0].reg &&
         leaves[length].offset == leaves[length - 1].offset + bytes) {
    ++length;
  }
  return length;
}

Expected<Value> Decoder::elementwise(Handler handler, std::uint32_t result_type, std::span<const Value> operands,
                                     const PoisonRule& rule) {
  auto result = new_value(result_type);
  if (!result) {
    return result;
  }
  const auto bytes = row_bytes(element(result_type));
  const auto leaf_bytes = [&](const Value& operand) { return row_bytes(element(operand.type)); };
  for (std::size_t first = 0; first < result->leaves.size();) {
    std::size_t length = run_length(std::span(result->leaves).subspan(first), bytes);
    for (const auto& operand : operands) {
      if (operand.leaves.size() != result->leaves.size()) {
        return fail(
            ErrorCode::invalid_input,
            fmt::format("An operand of the type %{} has {} components where the result, of the type %{}, has {}.",
                        operand.type, operand.leaves.size(), result_type, result->leaves.size()));
      }
      length = std::min(length, run_length(std::span(operand.leaves).subspan(first), leaf_bytes(operand)));
    }
    DraftOp op{.handler = handler, .dst = result->leaves[first]};
    const std::array<Ref*, 4> places = {&op.a, &op.b, &op.c, &op.d};
    for (std::size_t operand = 0; operand < operands.size(); ++operand) {
      *places[operand] = operands[operand].leaves[first];
    }
    op.count = static_cast<std::uint32_t>(length) * padded();
    for (std::size_t leaf = first; leaf < first + length; ++leaf) {
      const auto row = [&](std::size_t operand) {
        return operand < operands.size() ? operands[operand].leaves[leaf] : Ref{};
      };
      follow(rule, result->leaves[leaf], row(0), row(1), row(2), row(3));
    }
    builder_.emit(op);
    first += length;
  }
  return result;
}

Ref Decoder::apply(Handler handler, Element result, Ref a, Ref b, Ref c, Ref d, const PoisonRule& rule) {
  const Ref row = new_row(result);
  follow(rule, row, a, b, c, d);
  builder_.emit({.handler = handler, .dst = row, .a = a, .b = b, .c = c, .d = d, .count = padded()});
  return row;
}

void Decoder::masked_copy(Ref to, Ref from, Element element) {
  follow({.handler = poison_masked_copy_handler(), .dst = to, .a = from, .count = 1, .imm = bytes_of(element)});
  builder_.emit({.handler = masked_copy_handler(bytes_of(element)), .dst = to, .a = from, .count = padded()});
}

Expected<Ref> Decoder::fat_pointer(const Pointer& pointer, const spirv::Statement& statement) {
  switch (pointer.kind) {
    case PointerKind::rooted: {
      if (pointer.descriptors != 0 || pointer.component_stride != 0 || pointer.matrix.stride != 0) {
        return refuse(statement, "a pointer to an array of descriptors, a matrix or its row that is no constant");
      }
      const Ref bits = new_row(Element::int64);
      follow({}, bits, pointer.offset);
      builder_.emit({.handler = make_pointer_handler(),
                     .dst = bits,
                     .a = pointer.offset,
                     .count = 1,
                     .imm = saturate(pointer.constant),
                     .aux = pointer.root});
      return bits;
    }
    case PointerKind::fat:
    case PointerKind::physical: {
      if (pointer.constant == 0) {
        return pointer.offset;
      }
      const Ref bits = new_row(Element::int64);
      follow({}, bits, pointer.offset);
      builder_.emit({.handler = pointer_offset_handler(pointer.kind == PointerKind::fat ? AddressMode::fat
                                                                                        : AddressMode::physical),
                     .dst = bits,
                     .a = pointer.offset,
                     .b = constant_row(Element::int32, 1),
                     .extra = saturate(pointer.constant)});
      return bits;
    }
    default:
      return refuse(statement, "a variable pointer to the memory of a function");
  }
}

std::uint32_t saturate(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, 0xFFFFFFFF));
}

std::string Decoder::describe(const spirv::Statement& statement) const {
  const auto& line = module_.lines[statement.line];
  std::string text = spvOpcodeString(static_cast<std::uint32_t>(statement.opcode));
  text = "Op" + text;
  if (statement.result_id != 0) {
    text += fmt::format(" %{}", statement.result_id);
  }
  if (line.line != 0) {
    text += fmt::format(" ({}:{}:{})", line.file, line.line, line.column);
  }
  return text;
}

tl::unexpected<Error> Decoder::refuse(const spirv::Statement& statement, std::string_view what) const {
  return fail(ErrorCode::unsupported, fmt::format("{}: the wave machine does not run {}.", describe(statement), what));
}

tl::unexpected<Error> Decoder::malformed(const spirv::Statement& statement, std::string_view what) const {
  return fail(ErrorCode::invalid_input, fmt::format("{}: {}.", describe(statement), what));
}

Expected<const FunctionFacts*> Decoder::facts(const spirv::Function& function) {
  auto found = facts_.find(&function);
  if (found == facts_.end()) {
    auto made = make_facts(module_, function);
    if (!made) {
      return tl::unexpected<Error>(std::move(made.error()));
    }
    found = facts_.emplace(&function, std::move(*made)).first;
  }
  return &found->second;
}

void Decoder::take_turn() {
  if (program_.ordered) {
    builder_.emit({.handler = take_turn_handler()});
  }
}

Expected<void> Decoder::decode(const spirv::Statement& statement) {
  const auto* row = find_opcode(statement.opcode);
  if (row == nullptr) {
    return refuse(statement, "this instruction");
  }
  if (row->family != Family::none) {
    builder_.set_source({statement.opcode, module_.lines[statement.line]});
    if (options_.observed && options_.instructions) {
      builder_.emit({.handler = observe_instruction_handler()});
    }
  }
  return row->decode(*this, statement);
}

}  // namespace crosslane::machine
