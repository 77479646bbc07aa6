// OpGroupNonUniform…: votes, ballots, shuffles, reductions and scans of a wave.
#include <utility>

#include <fmt/format.h>

#include "machine/decode/decoder.hpp"
#include "machine/decode/families.hpp"
#include "machine/handlers.hpp"
#include "machine/observe.hpp"
#include "machine/wave_ops.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

Expected<void> check_scope(const Decoder& decoder, const spirv::Statement& statement) {
  const auto scope = decoder.constant(decoder.module().operands(statement)[2]);
  if (scope != static_cast<std::uint64_t>(spv::Scope::Subgroup)) {
    return decoder.refuse(statement, "wave operations of another scope than a wave");
  }
  return {};
}

// The operand in word `word` as rows side by side.
struct Rows {
  Ref first;
  Element element = Element::int32;
  std::uint32_t count = 1;
};

Expected<Rows> rows(Decoder& decoder, const spirv::Statement& statement, std::size_t word) {
  auto values = operand_values(decoder, statement, word, 1);
  if (!values) {
    return tl::unexpected<Error>(std::move(values.error()));
  }
  const auto& value = (*values)[0];
  const auto element = decoder.element(value.type);
  return Rows{decoder.contiguous(value.leaves, element), element, static_cast<std::uint32_t>(value.leaves.size())};
}

// A new result with its operation, `count` rows of it from dst on. `poison` follows undefined values: which lanes' a,
// of `element`, the result comes from.
Expected<void> emit(Decoder& decoder, const spirv::Statement& statement, DraftOp op, Handler poison,
                    Element element = Element::int32) {
  auto result = decoder.new_value(statement.type_id);
  if (!result) {
    return tl::unexpected<Error>(std::move(result.error()));
  }
  op.dst = result->leaves[0];
  auto before = op;
  before.handler = poison;
  const auto bytes = bytes_of(element);
  if (poison == poison_fill_handler()) {
    before.count = static_cast<std::uint32_t>(result->leaves.size());
    before.imm = 4;
    before.aux = static_cast<std::uint32_t>(Cause::none);
  } else if (poison == poison_arithmetic_handler()) {
    before.extra = bytes;
  } else if (poison == poison_vote_handler() || poison == poison_join_handler()) {
    before.aux = static_cast<std::uint32_t>(result->leaves.size());
    before.imm = 4;
    before.extra = bytes;
  } else {
    before.imm = bytes;
  }
  decoder.follow(before);
  decoder.builder().emit(op);
  return set_result(decoder, statement, std::move(result));
}

}  // namespace

Expected<void> decode_vote(Decoder& decoder, const spirv::Statement& statement) {
  if (statement.opcode == Op::OpGroupNonUniformElect) {
    if (auto checked = check_scope(decoder, statement); !checked) {
      return checked;
    }
    return emit(decoder, statement, {.handler = vote_handler(statement.opcode)}, poison_fill_handler());
  }
  // OpGroupNonUniformQuadAllKHR and …AnyKHR have no scope.
  if (statement.opcode == Op::OpGroupNonUniformQuadAllKHR || statement.opcode == Op::OpGroupNonUniformQuadAnyKHR) {
    const auto values = rows(decoder, statement, 2);
    if (!values) {
      return tl::unexpected<Error>(values.error());
    }
    const auto operation = statement.opcode == Op::OpGroupNonUniformQuadAllKHR ? Op::OpGroupNonUniformLogicalAnd
                                                                               : Op::OpGroupNonUniformLogicalOr;
    return emit(decoder, statement,
                {.handler = wave_arithmetic_handler(operation, Element::boolean),
                 .a = values->first,
                 .count = 1,
                 .imm = static_cast<std::uint32_t>(spv::GroupOperation::ClusteredReduce),
                 .aux = 4},
                poison_arithmetic_handler(), Element::boolean);
  }
  const auto checked = check_scope(decoder, statement);
  const auto values = rows(decoder, statement, 3);
  if (!checked || !values) {
    return tl::unexpected<Error>(checked ? values.error() : checked.error());
  }
  const auto handler = statement.opcode == Op::OpGroupNonUniformAllEqual ? all_equal_handler(values->element)
                                                                         : vote_handler(statement.opcode);
  return emit(decoder, statement, {.handler = handler, .a = values->first, .count = values->count},
              poison_vote_handler(), values->element);
}

Expected<void> decode_ballot(Decoder& decoder, const spirv::Statement& statement) {
  if (auto checked = check_scope(decoder, statement); !checked) {
    return checked;
  }
  const auto words = decoder.module().operands(statement);
  const bool counts = statement.opcode == Op::OpGroupNonUniformBallotBitCount;
  const auto values = rows(decoder, statement, counts ? 4 : 3);
  if (!values) {
    return tl::unexpected<Error>(values.error());
  }
  DraftOp op{.handler = ballot_handler(statement.opcode), .a = values->first, .count = values->count};
  if (counts) {
    op.imm = words[3];
  }
  if (statement.opcode == Op::OpGroupNonUniformBallotBitExtract) {
    const auto index = index_row(decoder, words[4]);
    if (!index) {
      return tl::unexpected<Error>(index.error());
    }
    op.b = *index;
  }
  const bool of_all = statement.opcode == Op::OpGroupNonUniformBallot;
  return emit(decoder, statement, op, of_all ? poison_vote_handler() : poison_join_handler());
}

Expected<void> decode_shuffle(Decoder& decoder, const spirv::Statement& statement) {
  if (auto checked = check_scope(decoder, statement); !checked) {
    return checked;
  }
  const auto words = decoder.module().operands(statement);
  const auto values = rows(decoder, statement, 3);
  if (!values) {
    return tl::unexpected<Error>(values.error());
  }
  const auto bytes = bytes_of(values->element);
  if (statement.opcode == Op::OpGroupNonUniformBroadcastFirst) {
    return emit(decoder, statement,
                {.handler = broadcast_first_handler(bytes), .a = values->first, .count = values->count},
                poison_broadcast_first_handler(), values->element);
  }
  auto lane = index_row(decoder, words[4]);
  if (!lane) {
    return tl::unexpected<Error>(std::move(lane.error()));
  }
  if (const auto relative = source_lane_handler(statement.opcode); relative != nullptr) {
    std::uint32_t cluster = 0;
    if (words.size() > 5) {
      const auto size = decoder.constant(words[5]);
      if (!size || *size == 0 || *size > decoder.program().wave_size || (*size & (*size - 1)) != 0) {
        return decoder.refuse(statement, fmt::format("clusters that are no power of two up to the wave size, {}",
                                                     decoder.program().wave_size));
      }
      cluster = static_cast<std::uint32_t>(*size);
    }
    const Ref source = decoder.new_row(Element::int32);
    decoder.follow({}, source, *lane);
    decoder.builder().emit({.handler = relative, .dst = source, .a = *lane, .imm = cluster});
    lane = source;
  }
  if (decoder.options().observed) {
    decoder.builder().emit({.handler = observe_cross_lane_handler(), .b = *lane});
  }
  return emit(decoder, statement,
              {.handler = shuffle_handler(bytes), .a = values->first, .b = *lane, .count = values->count},
              poison_shuffle_handler(), values->element);
}

Expected<void> decode_wave_arithmetic(Decoder& decoder, const spirv::Statement& statement) {
  if (auto checked = check_scope(decoder, statement); !checked) {
    return checked;
  }
  const auto words = decoder.module().operands(statement);
  const auto values = rows(decoder, statement, 4);
  if (!values) {
    return tl::unexpected<Error>(values.error());
  }
  const auto handler = wave_arithmetic_handler(statement.opcode, values->element);
  if (handler == nullptr) {
    return decoder.refuse(statement, "it on this type");
  }
  DraftOp op{.handler = handler, .a = values->first, .count = values->count, .imm = words[3]};
  switch (static_cast<spv::GroupOperation>(words[3])) {
    case spv::GroupOperation::Reduce:
    case spv::GroupOperation::InclusiveScan:
    case spv::GroupOperation::ExclusiveScan:
      break;
    case spv::GroupOperation::ClusteredReduce: {
      const auto size = words.size() > 5 ? decoder.constant(words[5]) : std::nullopt;
      if (!size || *size == 0 || (*size & (*size - 1)) != 0) {
        return decoder.malformed(statement, "a cluster size is no power of two");
      }
      op.aux = saturate(std::min<std::uint64_t>(*size, 128));
      break;
    }
    case spv::GroupOperation::PartitionedReduceNV:
    case spv::GroupOperation::PartitionedInclusiveScanNV:
    case spv::GroupOperation::PartitionedExclusiveScanNV: {
      const auto partition = rows(decoder, statement, 5);
      if (!partition) {
        return tl::unexpected<Error>(partition.error());
      }
      op.b = partition->first;
      break;
    }
    default:
      return decoder.refuse(statement, fmt::format("the group operation {}", words[3]));
  }
  return emit(decoder, statement, op, poison_arithmetic_handler(), values->element);
}

Expected<void> decode_partition(Decoder& decoder, const spirv::Statement& statement) {
  const auto values = rows(decoder, statement, 2);
  if (!values) {
    return tl::unexpected<Error>(values.error());
  }
  return emit(decoder, statement,
              {.handler = partition_handler(values->element), .a = values->first, .count = values->count},
              poison_vote_handler(), values->element);
}

}  // namespace crosslane::machine
