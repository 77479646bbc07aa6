#include <algorithm>
#include <atomic>

#include "machine/control.hpp"
#include "machine/group.hpp"
#include "machine/group_entries.hpp"
#include "machine/observer.hpp"
#include "machine/program.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {
namespace {

void go(Wave& wave, std::uint32_t target, Mask lanes) {
  wave.next = wave.program->ops.data() + target;
  set_active(wave, lanes);
}

// Takes the lanes out of `waiting`.
Mask take(Mask& waiting) {
  const Mask lanes = waiting;
  waiting = {};
  return lanes;
}

void wait_for(Frame& frame, std::uint32_t target, Mask lanes) {
  if (!lanes.any()) {
    return;
  }
  const auto same = std::ranges::find(frame.pending, target, &Pending::target);
  if (same != frame.pending.end()) {
    same->lanes = same->lanes | lanes;
  } else {
    frame.pending.push_back({target, lanes});
  }
}

void jump(Wave& wave, const Operation& op) { wave.next = wave.program->ops.data() + op.imm; }

void count_iteration(Wave& wave, const Operation& /*op*/) {
  if (--wave.budget == 0) {
    wave.state = WaveState::yielded;
  }
}

void back_edge(Wave& wave, const Operation& op) {
  wave.next = wave.program->ops.data() + op.imm;
  count_iteration(wave, op);
}

void park_at_merge(Wave& wave, const Operation& op) {
  auto& frame = wave.frames[op.imm];
  frame.at_merge = frame.at_merge | wave.active;
  resume(wave, op.aux);
}

void park_at_continue(Wave& wave, const Operation& op) {
  auto& frame = wave.frames[op.imm];
  frame.at_continue = frame.at_continue | wave.active;
  resume(wave, op.aux);
}

void leave_at_merge(Wave& wave, const Operation& op) {
  const auto& plan = wave.program->constructs[op.imm];
  // Lanes that part stay apart where nothing promises that they meet again.
  if (!wave.group->parting_lanes || wave.frames[op.imm].together || plan.parent == op.imm) {
    return park_at_merge(wave, op);
  }
  wave.frames[plan.parent].pending.push_back({plan.merge, wave.active});
  resume(wave, op.aux);
}

void leave_at_continue(Wave& wave, const Operation& op) {
  auto& frame = wave.frames[op.imm];
  if (!wave.group->parting_lanes || frame.round_together) {
    return park_at_continue(wave, op);
  }
  frame.pending.push_back({wave.program->constructs[op.imm].continue_target, wave.active});
  resume(wave, op.aux);
}

// All lanes of the wave enter a construct: so do all waves of the group, as far as that counts.
bool group_enters(Wave& wave, std::uint32_t construct) {
  auto* const entries = wave.group->entries;
  if (entries == nullptr) {
    return true;
  }
  wave.way = GroupEntries::next(wave.way, construct);
  if (!wave.group->parting_lanes) {
    entries->note(wave.group->number, wave.way);
    return true;
  }
  return entries->waves(wave.group->number, wave.way) == wave.group->waves.size();
}

// A loop is entered again by each round; lanes that left wait at its end.
void enter(Wave& wave, const Operation& op) {
  auto& frame = wave.frames[op.imm];
  const auto& outer = wave.frames[wave.program->constructs[op.imm].parent];
  const bool first = frame.rounds == 0 || &outer == &frame || frame.outer_round != outer.rounds;
  const bool left = !first && frame.at_merge.any();
  const auto way = wave.way;
  const bool all = wave.active == wave.full - wave.frames[0].at_merge && group_enters(wave, op.imm);
  if (first) {
    frame.together = all;
    frame.way = way;
    frame.outer_round = outer.rounds;
  }
  if (!left) {
    frame.round_together = all;
  }
  ++frame.rounds;
}

void apart(Wave& wave, const Operation& op) {
  if (!wave.group->one_lane) {
    return;
  }
  auto& frame = wave.frames[op.aux];
  const auto next = static_cast<std::uint32_t>(&op - wave.program->ops.data()) + 1;
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    frame.pending.push_back({next, first_lanes(lane + 1) - first_lanes(lane)});
  });
  resume(wave, op.aux);
}

void together(Wave& wave, const Operation& op) {
  if (!wave.group->one_lane) {
    return;
  }
  wait_for(wave.frames[op.aux], static_cast<std::uint32_t>(&op - wave.program->ops.data()) + 1, wave.active);
  resume(wave, op.aux);
}

void park_at_case(Wave& wave, const Operation& op) {
  wait_for(wave.frames[op.count], op.imm, wave.active);
  resume(wave, op.aux);
}

void branch(Wave& wave, const Operation& op) {
  const Mask taken = true_lanes(wave, wave.row<std::uint32_t>(op.a)) & wave.active;
  if (taken == wave.active) {
    wave.next = wave.program->ops.data() + op.imm;
  } else if (!taken.any()) {
    wave.next = wave.program->ops.data() + op.count;
  } else {
    auto& frame = wave.frames[op.aux];
    const Mask others = wave.active - taken;
    if (wave.observer != nullptr) {
      wave.observer->on_diverge(wave, wave.program->sources[op.source], taken);
    }
    // The earlier place first.
    const bool first = op.imm <= op.count;
    wait_for(frame, first ? op.count : op.imm, first ? others : taken);
    go(wave, first ? op.imm : op.count, first ? taken : others);
  }
}

std::uint64_t selector(const Wave& wave, const Operation& op, std::uint32_t lane) {
  switch (op.count) {
    case 1:
      return wave.row<std::uint8_t>(op.a)[lane];
    case 2:
      return wave.row<std::uint16_t>(op.a)[lane];
    case 4:
      return wave.row<std::uint32_t>(op.a)[lane];
    default:
      return wave.row<std::uint64_t>(op.a)[lane];
  }
}

void switch_by_value(Wave& wave, const Operation& op) {
  const auto& table = wave.program->switches[op.imm];
  auto& frame = wave.frames[op.aux];
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    const auto value = selector(wave, op, lane);
    const auto found = std::ranges::find(table.cases, value, &SwitchCase::value);
    wait_for(frame, found == table.cases.end() ? table.otherwise : found->target,
             first_lanes(lane + 1) - first_lanes(lane));
  });
  if (wave.observer != nullptr && frame.pending.size() > 1) {
    wave.observer->on_diverge(wave, wave.program->sources[op.source], frame.pending.front().lanes);
  }
  resume(wave, op.aux);
}

void barrier(Wave& wave, const Operation& op) {
  if (wave.observer != nullptr) {
    wave.observer->on_barrier(wave, wave.program->sources[op.source]);
  }
  wave.state = WaveState::at_barrier;
  wave.stopped_at = &op;
}

void fence(Wave& /*wave*/, const Operation& /*op*/) {
#if defined(__SANITIZE_THREAD__)
  // The sanitizer does not see fences; what one word orders it does.
  static std::atomic<unsigned> order{0};
  order.fetch_add(1, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

void take_turn(Wave& wave, const Operation& op) {
  if (!wave.group->has_turn) {
    wave.state = WaveState::needs_turn;
    wave.next = &op;
  }
}

void clock(Wave& wave, const Operation& op) {
  const std::uint64_t now = ++wave.clock;
  for (std::uint32_t lane = 0; lane < wave.padded; ++lane) {
    if (op.imm == 0) {
      wave.row<std::uint64_t>(op.dst)[lane] = now;
    } else {
      wave.row<std::uint32_t>(op.dst)[lane] = static_cast<std::uint32_t>(now);
      wave.row<std::uint32_t>(op.dst)[wave.padded + lane] = static_cast<std::uint32_t>(now >> 32U);
    }
  }
}

void end(Wave& wave, const Operation& /*op*/) {
  wave.live = {};
  wave.state = WaveState::ended;
}

void unreachable(Wave& wave, const Operation& op) {
  wave.state = WaveState::failed;
  wave.stopped_at = &op;
}

}  // namespace

void resume(Wave& wave, std::uint32_t construct) {
  for (;;) {
    const auto& plan = wave.program->constructs[construct];
    auto& frame = wave.frames[construct];
    if (!frame.pending.empty()) {
      const auto next = std::ranges::min_element(frame.pending, {}, &Pending::target);
      const Pending chosen = *next;
      frame.pending.erase(next);
      go(wave, chosen.target, chosen.lanes);
      return;
    }
    const bool iterate = frame.at_continue.any();
    if (iterate || frame.at_merge.any()) {
      go(wave, iterate ? plan.continue_target : plan.merge, take(iterate ? frame.at_continue : frame.at_merge));
      if (!iterate && wave.group->entries != nullptr) {
        wave.way = GroupEntries::next(frame.way, ~std::uint64_t{construct});
      }
      if (wave.observer != nullptr) {
        wave.observer->on_reconverge(wave);
      }
      return;
    }
    construct = plan.parent;
  }
}

Handler jump_handler() { return &jump; }
Handler count_iteration_handler() { return &count_iteration; }
Handler back_edge_handler() { return &back_edge; }
Handler park_at_merge_handler() { return &park_at_merge; }
Handler park_at_continue_handler() { return &park_at_continue; }
Handler park_at_case_handler() { return &park_at_case; }
Handler leave_at_merge_handler() { return &leave_at_merge; }
Handler leave_at_continue_handler() { return &leave_at_continue; }
Handler enter_handler() { return &enter; }
Handler apart_handler() { return &apart; }
Handler together_handler() { return &together; }
Handler branch_handler() { return &branch; }
Handler switch_handler() { return &switch_by_value; }
Handler barrier_handler() { return &barrier; }
Handler fence_handler() { return &fence; }
Handler take_turn_handler() { return &take_turn; }
Handler clock_handler() { return &clock; }
Handler end_handler() { return &end; }
Handler unreachable_handler() { return &unreachable; }

}  // namespace crosslane::machine
