// Starts a thread group and runs it until it ends or must wait for others.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "crosslane/error.hpp"
#include "machine/group.hpp"
#include "machine/launch.hpp"
#include "machine/program.hpp"

namespace crosslane::machine {

/// Memory for one group of the program, used for one after the other.
std::unique_ptr<Group> make_group(const Program& program, const Launch& launch);

/// Prepares the group `number` of the launch, its waves at the shader's start.
void start_group(Group& group, const Program& program, std::uint64_t number);

enum class GroupState : std::uint8_t { ended, needs_turn, spinning };

/// Runs until the group has ended, needs its turn, or has used up `iterations` loop iterations per wave.
/// Errors: as `run`.
Expected<GroupState> run_group(Group& group, const Program& program, std::uint32_t iterations);

/// Loop iterations that all threads together took when the group last ran, for `iterations` each at most; those of a
/// wave's lanes count where they run or not.
std::uint64_t iterations_taken(const Group& group, std::uint32_t iterations);

/// "Thread group (0, 0, 0) goes round a loop, and no group has ended for … iterations of threads".
Error endless_loop(const Group& group, std::uint64_t iterations);

}  // namespace crosslane::machine
