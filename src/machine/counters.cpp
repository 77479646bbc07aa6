#include "machine/counters.hpp"

#include <spirv-tools/libspirv.h>

#include "machine/program.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {
namespace {

bool is_shuffle(spv::Op opcode) {
  switch (opcode) {
    case spv::Op::OpGroupNonUniformBroadcast:
    case spv::Op::OpGroupNonUniformBroadcastFirst:
    case spv::Op::OpGroupNonUniformShuffle:
    case spv::Op::OpGroupNonUniformShuffleXor:
    case spv::Op::OpGroupNonUniformShuffleUp:
    case spv::Op::OpGroupNonUniformShuffleDown:
    case spv::Op::OpGroupNonUniformRotateKHR:
    case spv::Op::OpGroupNonUniformQuadBroadcast:
    case spv::Op::OpGroupNonUniformQuadSwap:
      return true;
    default:
      return false;
  }
}

void add(InstructionCount& count, const Wave& wave) {
  ++count.waves;
  count.lanes += wave.active.count();
}

}  // namespace

InstructionCount Counts::total() const {
  InstructionCount all;
  for (const auto& [family, count] : instructions) {
    all.waves += count.waves;
    all.lanes += count.lanes;
  }
  return all;
}

void Counters::on_group(const Wave& first_wave) {
  const auto& size = first_wave.program->group_size;
  ++counts_.groups;
  counts_.threads += std::uint64_t{size[0]} * size[1] * size[2];
}

void Counters::on_instruction(const Wave& wave, const OpSource& source) {
  add(counts_.instructions[find_opcode(source.opcode)->family], wave);
  if (is_shuffle(source.opcode)) {
    constexpr std::string_view prefix = "GroupNonUniform";
    const std::string_view name = spvOpcodeString(static_cast<std::uint32_t>(source.opcode));
    add(counts_.shuffles[std::string(name.substr(prefix.size()))], wave);
  }
}

void Counters::on_access(const Wave& wave, const OpSource& /*source*/, const MemoryEvent& event) {
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    const bool groupshared = event.lanes[lane].root == groupshared_root;
    Traffic* traffic = nullptr;
    switch (event.plan.kind) {
      case AccessKind::read:
        traffic = groupshared ? &counts_.groupshared_reads : &counts_.buffer_reads;
        break;
      case AccessKind::write:
        traffic = groupshared ? &counts_.groupshared_writes : &counts_.buffer_writes;
        break;
      case AccessKind::atomic:
        traffic = groupshared ? &counts_.groupshared_atomics : &counts_.buffer_atomics;
        break;
    }
    ++traffic->accesses;
    traffic->bytes += std::uint64_t{event.plan.components} * event.plan.component_bytes;
  });
}

void Counters::on_barrier(const Wave& /*wave*/, const OpSource& /*source*/) { ++counts_.barriers; }

void Counters::on_diverge(const Wave& /*wave*/, const OpSource& /*source*/, Mask /*taken*/) {
  ++counts_.divergent_branches;
}

}  // namespace crosslane::machine
