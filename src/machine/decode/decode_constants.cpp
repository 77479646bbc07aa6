// Constants, and specialization constants with the values that the caller asked for. Instructions between constants are
// run on the machine itself, by a program of their own.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <hwy/aligned_allocator.h>

#include "machine/control.hpp"
#include "machine/decode/decoder.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {
namespace {

using KnownConstants = std::unordered_map<std::uint32_t, std::vector<std::uint64_t>>;

// Bits of the value that specialization asks for, of the constant's width.
std::optional<std::uint64_t> specialized(const Decoder& decoder, std::uint32_t id) {
  const auto spec_id = decoder.module().tables.decoration(id, spv::Decoration::SpecId);
  if (!spec_id) {
    return std::nullopt;
  }
  const auto& wanted = decoder.options().constants;
  const auto found = std::ranges::find(wanted, *spec_id, &SpecializationConstant::id);
  if (found == wanted.end()) {
    return std::nullopt;
  }
  const auto element = decoder.element(decoder.type_of(id));
  if (element == Element::boolean) {
    return found->value != 0 ? 1 : 0;
  }
  const auto bits = 8U * bytes_of(element);
  return bits == 64 ? found->value : found->value & ((std::uint64_t{1} << bits) - 1);
}

// Runs the operations emitted so far for one lane; the bits that each output row then holds.
Expected<std::vector<std::uint64_t>> run_once(Decoder& decoder, Program& program, std::span<const Ref> outputs,
                                              std::span<const Element> elements) {
  decoder.builder().emit({.handler = end_handler()});
  if (auto finished = decoder.builder().finish(); !finished) {
    return tl::unexpected<Error>(std::move(finished.error()));
  }
  const auto registers = hwy::AllocateAligned<std::byte>(program.register_bytes + row_alignment);
  std::fill_n(registers.get(), program.register_bytes, std::byte{0});
  for (const auto& initial : program.initial) {
    std::ranges::copy(initial.bytes, registers.get() + initial.offset);
  }
  std::array<std::uint32_t, row_lanes> active_row{};
  Wave wave;
  wave.registers = registers.get();
  wave.active_row = active_row.data();
  wave.program = &program;
  wave.lanes = 1;
  wave.padded = row_lanes;
  wave.full = first_lanes(1);
  wave.live = wave.full;
  set_active(wave, wave.full);
  for (wave.next = program.ops.data(); wave.state == WaveState::ready;) {
    const Operation& op = *wave.next++;
    op.handler(wave, op);
  }
  std::vector<std::uint64_t> bits;
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    std::uint64_t value = 0;
    std::memcpy(&value, registers.get() + decoder.builder().place(outputs[output]), bytes_of(elements[output]));
    bits.push_back(value);
  }
  return bits;
}

// Runs the instruction in a program for one lane and reads the result's rows.
Expected<std::vector<std::uint64_t>> evaluate(const Decoder& decoder, const spirv::Statement& statement,
                                              const KnownConstants& known) {
  Program program;
  program.wave_size = 1;
  program.padded = row_lanes;
  program.group_size = {1, 1, 1};
  auto options = decoder.options();
  options.observed = options.undefined_values = false;
  Decoder single(decoder.module(), options, program);
  for (const auto& [id, leaves] : known) {
    single.set_constant(id, leaves);
  }
  if (auto decoded = single.decode(statement); !decoded) {
    return tl::unexpected<Error>(std::move(decoded.error()));
  }
  auto result = single.value(statement.result_id);
  auto elements = single.leaves(statement.type_id);
  if (!result || !elements) {
    return tl::unexpected<Error>(result ? elements.error() : result.error());
  }
  std::vector<Ref> outputs;
  for (std::size_t leaf = 0; leaf < result->leaves.size(); ++leaf) {
    const auto row = single.builder().allocate_pinned(single.row_bytes((*elements)[leaf]));
    single.masked_copy(row, result->leaves[leaf], (*elements)[leaf]);
    outputs.push_back(row);
  }
  return run_once(single, program, outputs, *elements);
}

}  // namespace

Expected<void> decode_constants(Decoder& decoder) {
  auto& known = decoder.constant_leaves_;
  for (const auto& statement : decoder.module().globals) {
    const auto words = decoder.module().operands(statement);
    switch (statement.opcode) {
      case spv::Op::OpConstantTrue:
        known[statement.result_id] = {1};
        break;
      case spv::Op::OpConstantFalse:
        known[statement.result_id] = {0};
        break;
      case spv::Op::OpSpecConstantTrue:
      case spv::Op::OpSpecConstantFalse:
        known[statement.result_id] = {specialized(decoder, statement.result_id)
                                          .value_or(statement.opcode == spv::Op::OpSpecConstantTrue ? 1 : 0)};
        break;
      case spv::Op::OpConstant:
      case spv::Op::OpSpecConstant: {
        const auto* constant = decoder.module().tables.constant(statement.result_id);
        const auto written = constant == nullptr ? 0 : constant->value;
        known[statement.result_id] = {statement.opcode == spv::Op::OpConstant
                                          ? written
                                          : specialized(decoder, statement.result_id).value_or(written)};
        break;
      }
      case spv::Op::OpConstantNull:
      case spv::Op::OpUndef: {
        if (statement.opcode == spv::Op::OpUndef) {
          decoder.undefined_constants_.insert(statement.result_id);
        }
        auto elements = decoder.leaves(statement.type_id);
        if (!elements) {
          return tl::unexpected<Error>(std::move(elements.error()));
        }
        known[statement.result_id].assign(elements->size(), 0);
        break;
      }
      case spv::Op::OpConstantComposite:
      case spv::Op::OpSpecConstantComposite: {
        std::vector<std::uint64_t> leaves;
        for (const auto constituent : words.subspan(2)) {
          const auto found = known.find(constituent);
          if (found == known.end()) {
            return decoder.malformed(statement, fmt::format("%{} is no constant", constituent));
          }
          leaves.insert(leaves.end(), found->second.begin(), found->second.end());
        }
        known[statement.result_id] = std::move(leaves);
        break;
      }
      case spv::Op::OpVariable:
        break;
      default: {
        auto leaves = evaluate(decoder, statement, known);
        if (!leaves) {
          return tl::unexpected<Error>(std::move(leaves.error()));
        }
        known[statement.result_id] = std::move(*leaves);
      }
    }
  }
  return {};
}

}  // namespace crosslane::machine
