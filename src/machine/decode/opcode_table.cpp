#include "machine/decode/opcode_table.hpp"

#include <algorithm>
#include <vector>

#include "machine/decode/families.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;

std::vector<OpcodeRow> make_table() {
  std::vector<OpcodeRow> rows;
  const auto add = [&rows](Family family, Expected<void> (*decode)(Decoder&, const spirv::Statement&),
                           std::initializer_list<Op> opcodes) {
    for (const auto opcode : opcodes) {
      rows.push_back({opcode, family, decode});
    }
  };
  add(Family::none, &decode_nothing, {Op::OpNop, Op::OpSelectionMerge, Op::OpLoopMerge, Op::OpAssumeTrueKHR});
  add(Family::none, &decode_undefined, {Op::OpUndef});
  add(Family::none, &decode_variable, {Op::OpVariable});
  add(Family::none, &decode_copy, {Op::OpCopyObject, Op::OpCopyLogical, Op::OpExpectKHR});
  add(Family::none, &decode_construct, {Op::OpCompositeConstruct});
  add(Family::none, &decode_extract, {Op::OpCompositeExtract});
  add(Family::none, &decode_insert, {Op::OpCompositeInsert});
  add(Family::none, &decode_vector_shuffle, {Op::OpVectorShuffle});
  add(Family::none, &decode_transpose, {Op::OpTranspose});
  add(Family::none, &decode_access_chain,
      {Op::OpAccessChain, Op::OpInBoundsAccessChain, Op::OpPtrAccessChain, Op::OpInBoundsPtrAccessChain});
  add(Family::integer, &decode_extract_dynamic, {Op::OpVectorExtractDynamic});
  add(Family::integer, &decode_insert_dynamic, {Op::OpVectorInsertDynamic});
  add(Family::integer, &decode_integer,
      {Op::OpIAdd,
       Op::OpISub,
       Op::OpIMul,
       Op::OpUDiv,
       Op::OpSDiv,
       Op::OpUMod,
       Op::OpSRem,
       Op::OpSMod,
       Op::OpSNegate,
       Op::OpShiftLeftLogical,
       Op::OpShiftRightLogical,
       Op::OpShiftRightArithmetic,
       Op::OpBitwiseAnd,
       Op::OpBitwiseOr,
       Op::OpBitwiseXor,
       Op::OpNot,
       Op::OpBitCount,
       Op::OpBitReverse,
       Op::OpBitFieldInsert,
       Op::OpBitFieldSExtract,
       Op::OpBitFieldUExtract,
       Op::OpLogicalAnd,
       Op::OpLogicalOr});
  add(Family::integer, &decode_extended_arithmetic,
      {Op::OpIAddCarry, Op::OpISubBorrow, Op::OpUMulExtended, Op::OpSMulExtended});
  add(Family::floating, &decode_float,
      {Op::OpFAdd, Op::OpFSub, Op::OpFMul, Op::OpFDiv, Op::OpFNegate, Op::OpFRem, Op::OpFMod});
  add(Family::floating, &decode_scaled, {Op::OpVectorTimesScalar, Op::OpMatrixTimesScalar});
  add(Family::floating, &decode_dot, {Op::OpDot});
  add(Family::floating, &decode_matrix_product,
      {Op::OpMatrixTimesVector, Op::OpVectorTimesMatrix, Op::OpMatrixTimesMatrix});
  add(Family::floating, &decode_outer_product, {Op::OpOuterProduct});
  add(Family::floating, &decode_extended, {Op::OpExtInst});
  add(Family::comparison, &decode_comparison,
      {Op::OpIEqual,
       Op::OpINotEqual,
       Op::OpULessThan,
       Op::OpULessThanEqual,
       Op::OpUGreaterThan,
       Op::OpUGreaterThanEqual,
       Op::OpSLessThan,
       Op::OpSLessThanEqual,
       Op::OpSGreaterThan,
       Op::OpSGreaterThanEqual,
       Op::OpLogicalEqual,
       Op::OpLogicalNotEqual,
       Op::OpLogicalNot,
       Op::OpFOrdEqual,
       Op::OpFUnordEqual,
       Op::OpFOrdNotEqual,
       Op::OpFUnordNotEqual,
       Op::OpFOrdLessThan,
       Op::OpFUnordLessThan,
       Op::OpFOrdGreaterThan,
       Op::OpFUnordGreaterThan,
       Op::OpFOrdLessThanEqual,
       Op::OpFUnordLessThanEqual,
       Op::OpFOrdGreaterThanEqual,
       Op::OpFUnordGreaterThanEqual,
       Op::OpLessOrGreater,
       Op::OpOrdered,
       Op::OpUnordered,
       Op::OpIsNan,
       Op::OpIsInf});
  add(Family::comparison, &decode_select, {Op::OpSelect});
  add(Family::comparison, &decode_any_all, {Op::OpAny, Op::OpAll});
  add(Family::comparison, &decode_pointer_comparison, {Op::OpPtrEqual, Op::OpPtrNotEqual, Op::OpPtrDiff});
  add(Family::conversion, &decode_conversion,
      {Op::OpUConvert, Op::OpSConvert, Op::OpFConvert, Op::OpConvertFToU, Op::OpConvertFToS, Op::OpConvertSToF,
       Op::OpConvertUToF, Op::OpQuantizeToF16});
  add(Family::conversion, &decode_bitcast, {Op::OpBitcast});
  add(Family::conversion, &decode_pointer_conversion, {Op::OpConvertPtrToU, Op::OpConvertUToPtr});
  add(Family::memory, &decode_load, {Op::OpLoad});
  add(Family::memory, &decode_store, {Op::OpStore});
  add(Family::memory, &decode_copy_memory, {Op::OpCopyMemory});
  add(Family::memory, &decode_array_length, {Op::OpArrayLength});
  add(Family::atomic, &decode_atomic,
      {Op::OpAtomicLoad, Op::OpAtomicStore, Op::OpAtomicExchange, Op::OpAtomicCompareExchange, Op::OpAtomicIIncrement,
       Op::OpAtomicIDecrement, Op::OpAtomicIAdd, Op::OpAtomicISub, Op::OpAtomicSMin, Op::OpAtomicUMin, Op::OpAtomicSMax,
       Op::OpAtomicUMax, Op::OpAtomicAnd, Op::OpAtomicOr, Op::OpAtomicXor, Op::OpAtomicFAddEXT, Op::OpAtomicFMinEXT,
       Op::OpAtomicFMaxEXT});
  add(Family::none, &decode_sampled_image, {Op::OpSampledImage});
  add(Family::none, &decode_image_of, {Op::OpImage});
  add(Family::image, &decode_image_read, {Op::OpImageRead, Op::OpImageFetch});
  add(Family::image, &decode_image_write, {Op::OpImageWrite});
  add(Family::image, &decode_image_sample, {Op::OpImageSampleExplicitLod, Op::OpImageGather});
  add(Family::image, &decode_implicit_sample,
      {Op::OpImageSampleImplicitLod, Op::OpImageSampleDrefImplicitLod, Op::OpImageSampleProjImplicitLod,
       Op::OpImageSampleProjDrefImplicitLod, Op::OpImageQueryLod});
  add(Family::image, &decode_image_query, {Op::OpImageQuerySize, Op::OpImageQuerySizeLod, Op::OpImageQueryLevels});
  add(Family::image, &decode_texel_pointer, {Op::OpImageTexelPointer});
  add(Family::barrier, &decode_barrier, {Op::OpControlBarrier, Op::OpMemoryBarrier});
  add(Family::none, &decode_clock, {Op::OpReadClockKHR});
  add(Family::wave, &decode_vote,
      {Op::OpGroupNonUniformElect, Op::OpGroupNonUniformAll, Op::OpGroupNonUniformAny, Op::OpGroupNonUniformAllEqual,
       Op::OpGroupNonUniformQuadAllKHR, Op::OpGroupNonUniformQuadAnyKHR});
  add(Family::wave, &decode_ballot,
      {Op::OpGroupNonUniformBallot, Op::OpGroupNonUniformInverseBallot, Op::OpGroupNonUniformBallotBitExtract,
       Op::OpGroupNonUniformBallotBitCount, Op::OpGroupNonUniformBallotFindLSB, Op::OpGroupNonUniformBallotFindMSB});
  add(Family::wave, &decode_shuffle,
      {Op::OpGroupNonUniformBroadcast, Op::OpGroupNonUniformBroadcastFirst, Op::OpGroupNonUniformShuffle,
       Op::OpGroupNonUniformShuffleXor, Op::OpGroupNonUniformShuffleUp, Op::OpGroupNonUniformShuffleDown,
       Op::OpGroupNonUniformRotateKHR, Op::OpGroupNonUniformQuadBroadcast, Op::OpGroupNonUniformQuadSwap});
  add(Family::wave, &decode_wave_arithmetic,
      {Op::OpGroupNonUniformIAdd, Op::OpGroupNonUniformFAdd, Op::OpGroupNonUniformIMul, Op::OpGroupNonUniformFMul,
       Op::OpGroupNonUniformSMin, Op::OpGroupNonUniformUMin, Op::OpGroupNonUniformFMin, Op::OpGroupNonUniformSMax,
       Op::OpGroupNonUniformUMax, Op::OpGroupNonUniformFMax, Op::OpGroupNonUniformBitwiseAnd,
       Op::OpGroupNonUniformBitwiseOr, Op::OpGroupNonUniformBitwiseXor, Op::OpGroupNonUniformLogicalAnd,
       Op::OpGroupNonUniformLogicalOr, Op::OpGroupNonUniformLogicalXor});
  add(Family::wave, &decode_partition, {Op::OpGroupNonUniformPartitionNV});
  add(Family::control, &decode_call, {Op::OpFunctionCall});
  add(Family::control, &decode_terminator,
      {Op::OpBranch, Op::OpBranchConditional, Op::OpSwitch, Op::OpReturn, Op::OpReturnValue, Op::OpUnreachable});
  std::ranges::sort(rows, {}, &OpcodeRow::opcode);
  return rows;
}

}  // namespace

std::string_view name(Family family) {
  switch (family) {
    case Family::none:
      return "free";
    case Family::integer:
      return "integer";
    case Family::floating:
      return "float";
    case Family::conversion:
      return "conversion";
    case Family::comparison:
      return "comparison";
    case Family::memory:
      return "memory";
    case Family::atomic:
      return "atomic";
    case Family::wave:
      return "wave";
    case Family::barrier:
      return "barrier";
    case Family::control:
      return "control flow";
    case Family::image:
      return "image";
  }
  return "unknown";
}

const OpcodeRow* find_opcode(spv::Op opcode) {
  static const std::vector<OpcodeRow> table = make_table();
  const auto found = std::ranges::lower_bound(table, opcode, {}, &OpcodeRow::opcode);
  return found != table.end() && found->opcode == opcode ? &*found : nullptr;
}

}  // namespace crosslane::machine
