#include "machine/group_run.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <spirv-tools/libspirv.h>

#include "base/rounding.hpp"
#include "machine/built_ins.hpp"
#include "machine/observer.hpp"
#include "machine/origin.hpp"

namespace crosslane::machine {
namespace {

void run_wave(Wave& wave) {
  while (wave.state == WaveState::ready) {
    const Operation& op = *wave.next++;
    op.handler(wave, op);
  }
}

std::string where(const Program& program, const Operation& op) {
  const auto& source = program.sources[op.source];
  std::string text = fmt::format("Op{}", spvOpcodeString(static_cast<std::uint32_t>(source.opcode)));
  if (source.line.line != 0) {
    text += fmt::format(" ({}:{}:{})", source.line.file, source.line.line, source.line.column);
  }
  return text;
}

std::string name(const Group& group, const Wave& wave) {
  return fmt::format("wave {} of thread group ({}, {}, {})", wave.index, group.id[0], group.id[1], group.id[2]);
}

bool in_state(const Group& group, WaveState state) {
  return std::ranges::any_of(group.waves, [state](const Wave& wave) { return wave.state == state; });
}

// Whether a barrier is reached as it must be: by every thread of the group, at one instruction.
bool all_arrived(const Group& group) {
  const auto* place = group.waves.front().stopped_at;
  return std::ranges::all_of(group.waves, [place](const Wave& wave) {
    return wave.state == WaveState::at_barrier && wave.stopped_at == place && wave.active == wave.full;
  });
}

void tell_observer_of_barrier(const Group& group, const Program& program) {
  const auto& first = group.waves.front();
  if (first.observer == nullptr) {
    return;
  }
  if (all_arrived(group)) {
    first.observer->on_barrier_passed(group, program.barriers[first.stopped_at->imm]);
  } else {
    first.observer->on_barrier_missed(group);
  }
}

// All waves that have not ended wait at a barrier: at the same one, with all their lanes?
Expected<void> pass_barrier(Group& group, const Program& program) {
  tell_observer_of_barrier(group, program);
  const Operation* met = nullptr;
  for (auto& wave : group.waves) {
    if (wave.state != WaveState::at_barrier) {
      continue;
    }
    const Mask running = wave.full - wave.frames[0].at_merge;
    if (wave.active != running) {
      return fail(
          ErrorCode::invalid_input,
          fmt::format("{}: {} of {} lanes of {} reach the barrier; move it out of the branch or loop.",
                      where(program, *wave.stopped_at), wave.active.count(), running.count(), name(group, wave)));
    }
    if (met != nullptr && met != wave.stopped_at) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("{}: {} waits here while another wave of the group waits at the barrier {}; all threads "
                              "of a group must meet at the same one.",
                              where(program, *wave.stopped_at), name(group, wave), where(program, *met)));
    }
    met = wave.stopped_at;
    wave.state = WaveState::ready;
  }
  return {};
}

}  // namespace

std::unique_ptr<Group> make_group(const Program& program, const Launch& launch) {
  auto group = std::make_unique<Group>();
  const auto threads = program.group_size[0] * program.group_size[1] * program.group_size[2];
  const auto waves = static_cast<std::uint32_t>(divide_up(threads, program.wave_size));
  const auto register_bytes = round_up(program.register_bytes, row_alignment);
  const auto bytes = register_bytes * waves + program.groupshared_bytes;
  group->count = launch.groups;
  group->memory = hwy::AllocateAligned<std::byte>(bytes + row_alignment);
  std::memset(group->memory.get(), 0, bytes);
  group->groupshared = group->memory.get() + register_bytes * waves;
  group->roots = launch.roots;
  group->roots.resize(program.roots);
  group->roots[groupshared_root] = {group->groupshared, program.groupshared_bytes};
  group->images = &launch.images;
  group->addresses = &launch.addresses;
  group->frames.resize(std::size_t{waves} * program.constructs.size());
  group->threads = launch.lane_threads.empty() ? nullptr : &launch.lane_threads;
  group->falling = launch.schedule.falling_waves;
  group->one_lane = launch.schedule.one_lane;
  group->parting_lanes = launch.schedule.parting_lanes;
  group->entries = launch.schedule.entries;
  group->reported_lanes = launch.schedule.reported_lanes;
  // Operations that follow undefined values have somebody to tell.
  static Observer nobody;
  auto* const observer = launch.observer == nullptr && program.follows_undefined ? &nobody : launch.observer;
  if (program.follows_undefined) {
    group->register_poison.resize(register_bytes * waves);
    group->poisoned_rows.resize(register_bytes / smallest_row_bytes * waves);
    group->groupshared_states.resize(program.groupshared_bytes);
    group->groupshared_poison.resize(program.groupshared_bytes);
  }
  group->waves.resize(waves);
  for (std::uint32_t index = 0; index < waves; ++index) {
    auto& wave = group->waves[index];
    wave.registers = group->memory.get() + register_bytes * index;
    wave.active_row = wave.row<std::uint32_t>(program.active_row);
    wave.program = &program;
    wave.group = group.get();
    wave.roots = group->roots.data();
    wave.frames = group->frames.data() + std::size_t{index} * program.constructs.size();
    wave.lanes = program.wave_size;
    wave.padded = program.padded;
    wave.index = index;
    wave.observer = observer;
    wave.poison = program.follows_undefined ? group->register_poison.data() + register_bytes * index : nullptr;
    wave.poisoned_rows =
        program.follows_undefined ? group->poisoned_rows.data() + register_bytes / smallest_row_bytes * index : nullptr;
    wave.full = first_lanes(std::min(program.wave_size, threads - index * program.wave_size));
    for (const auto& initial : program.initial) {
      std::ranges::copy(initial.bytes, wave.registers + initial.offset);
    }
    fill_fixed_built_ins(wave, program);
  }
  return group;
}

void start_group(Group& group, const Program& program, std::uint64_t number) {
  group.number = number;
  group.id = {static_cast<std::uint32_t>(number % group.count[0]),
              static_cast<std::uint32_t>(number / group.count[0] % group.count[1]),
              static_cast<std::uint32_t>(number / group.count[0] / group.count[1])};
  group.has_turn = false;
  std::memset(group.groupshared, 0, program.groupshared_bytes);
  std::ranges::fill(group.groupshared_states, ByteState::never_written);
  std::ranges::fill(group.poisoned_rows, std::uint8_t{0});
  for (auto& wave : group.waves) {
    wave.state = WaveState::ready;
    wave.next = program.ops.data();
    wave.live = wave.full;
    wave.clock = 0;
    wave.way = 0;
    wave.poisoned = false;
    wave.frames[0].at_merge = {};
    set_active(wave, wave.full);
    fill_group_built_ins(wave, program);
  }
  if (group.waves[0].observer != nullptr) {
    group.waves[0].observer->on_group(group.waves[0]);
  }
}

Expected<GroupState> run_group(Group& group, const Program& program, std::uint32_t iterations) {
  for (auto& wave : group.waves) {
    wave.budget = iterations;
    if (wave.state == WaveState::yielded || (wave.state == WaveState::needs_turn && group.has_turn)) {
      wave.state = WaveState::ready;
    }
  }
  for (;;) {
    for (std::size_t turn = 0; turn < group.waves.size(); ++turn) {
      auto& wave = group.waves[group.falling ? group.waves.size() - 1 - turn : turn];
      run_wave(wave);
      if (wave.state == WaveState::failed) {
        return fail(ErrorCode::invalid_input,
                    fmt::format("{}: {} reached a place that the shader says cannot be reached.",
                                where(program, *wave.stopped_at), name(group, wave)));
      }
    }
    if (in_state(group, WaveState::needs_turn)) {
      return GroupState::needs_turn;
    }
    if (in_state(group, WaveState::yielded)) {
      return GroupState::spinning;
    }
    if (!in_state(group, WaveState::at_barrier)) {
      if (auto* const observer = group.waves.front().observer; observer != nullptr) {
        observer->on_group_end(group);
      }
      return GroupState::ended;
    }
    if (auto passed = pass_barrier(group, program); !passed) {
      return tl::unexpected<Error>(std::move(passed.error()));
    }
  }
}

std::uint64_t iterations_taken(const Group& group, std::uint32_t iterations) {
  std::uint64_t taken = 0;
  for (const auto& wave : group.waves) {
    taken += std::uint64_t{iterations - wave.budget} * wave.full.count();
  }
  return taken;
}

Error endless_loop(const Group& group, std::uint64_t iterations) {
  return {
      ErrorCode::device,
      fmt::format("Thread group ({}, {}, {}) goes round a loop, and no group has ended for {} iterations of threads; "
                  "does it wait for something that never happens?",
                  group.id[0], group.id[1], group.id[2], iterations),
      {}};
}

}  // namespace crosslane::machine
