// Instructions that let the lanes of a wave talk to each other (SPIR-V's OpGroupNonUniform…).
#pragma once

#include <cstdint>

#include <spirv/unified1/spirv.hpp11>

#include "machine/element.hpp"
#include "machine/op.hpp"

namespace crosslane::machine {

/// dst (booleans): OpGroupNonUniformElect, All and Any of a (booleans).
Handler vote_handler(spv::Op opcode);
/// dst (booleans): a, `count` rows of elements of that kind, is equal in all active lanes.
Handler all_equal_handler(Element element);
/// Ballots are four rows of 32-bit words. Ballot (of a), InverseBallot, BallotBitExtract (a, b), BallotBitCount (imm:
/// the group operation), BallotFindLSB, BallotFindMSB.
Handler ballot_handler(spv::Op opcode);
/// dst (four rows): a ballot of the active lanes whose a, `count` rows, equals this lane's (PartitionNV).
Handler partition_handler(Element element);

/// dst = the lane (32 bits) that a relative shuffle reads, a the distance, mask, direction or quad index; imm the
/// cluster size of rotations, 0 for the whole wave. A lane outside of the wave is 0xFFFFFFFF.
Handler source_lane_handler(spv::Op opcode);
/// dst = a of the lane b (32 bits), `count` rows; 0 where that lane is outside of the wave or not active.
Handler shuffle_handler(std::uint32_t bytes);
/// dst = a of the first active lane, `count` rows.
Handler broadcast_first_handler(std::uint32_t bytes);

/// dst = the reduction or scan of a over `count` rows; imm: the group operation, aux: the cluster size; b: the ballot
/// of each lane's partition, for partitioned ones.
Handler wave_arithmetic_handler(spv::Op opcode, Element element);

}  // namespace crosslane::machine
