// Control flow: which lanes run, which wait in a construct, and where they meet again.
#pragma once

#include "machine/op.hpp"

namespace crosslane::machine {

/// Goes on with lanes that wait in the construct `construct` or, where none do, in one around it: first those of its
/// branches, then those that go on with the next iteration, then those at its end. Lanes whose way is earlier in the
/// program go first; slots of registers are given out on that understanding.
void resume(Wave& wave, std::uint32_t construct);

/// To place `imm`, all active lanes.
Handler jump_handler();
/// To place `imm`, after one more loop iteration is counted.
Handler count_iteration_handler();
Handler back_edge_handler();
/// Active lanes wait at the merge block of the construct `imm`; branches in `aux`.
Handler park_at_merge_handler();
/// Active lanes wait at the continue target of the loop `imm`; branches in `aux`.
Handler park_at_continue_handler();
/// Active lanes join those that wait to run the place `imm` in the construct `count`; branches in `aux`.
Handler park_at_case_handler();
/// The same in programs with independent lanes, which may stay apart (Schedule::parting_lanes).
Handler leave_at_merge_handler();
Handler leave_at_continue_handler();
/// The active lanes enter the construct `imm`.
Handler enter_handler();
/// The active lanes go on one after the other, each to the next `together_handler`; branches in `aux`.
Handler apart_handler();
Handler together_handler();
/// Where a (booleans) holds to place `imm`, else to place `count`; branches in the construct `aux`.
Handler branch_handler();
/// By a (integers of `count` bytes) to the places of Program::switches[imm]; branches in the construct `aux`.
Handler switch_handler();
/// Waits until every wave of the group is here.
Handler barrier_handler();
/// Orders memory accesses for other host threads.
Handler fence_handler();
/// Waits until the group has its turn, see Program::ordered.
Handler take_turn_handler();
/// dst (64 bits; with imm 1 two rows of 32) = a number that rises from one call to the next in a wave.
Handler clock_handler();
/// The active lanes have finished the shader.
Handler end_handler();
/// Active lanes reached what the shader says cannot be reached.
Handler unreachable_handler();

}  // namespace crosslane::machine
