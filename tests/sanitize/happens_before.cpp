#include "sanitize/happens_before.hpp"

#include <algorithm>

namespace crosslane::sanitize_tests {
namespace {

using machine::AccessKind;
using machine::MemoryOrder;
using spv::MemorySemanticsMask;

bool has(const MemoryOrder& order, MemorySemanticsMask bit) {
  return (order.semantics & static_cast<std::uint32_t>(bit)) != 0;
}
bool acquires(const MemoryOrder& order) {
  return has(order, MemorySemanticsMask::Acquire) || has(order, MemorySemanticsMask::AcquireRelease);
}
bool releases(const MemoryOrder& order) {
  return has(order, MemorySemanticsMask::Release) || has(order, MemorySemanticsMask::AcquireRelease);
}
bool names(const MemoryOrder& order, bool groupshared) {
  return groupshared ? has(order, MemorySemanticsMask::WorkgroupMemory)
                     : has(order, MemorySemanticsMask::UniformMemory);
}

}  // namespace

// Whether a scope around one thread holds the other.
bool HappensBefore::holds(spv::Scope scope, const Thread& a, const Thread& b) {
  const auto& [group_a, wave_a, lane_a] = a;
  const auto& [group_b, wave_b, lane_b] = b;
  switch (scope) {
    case spv::Scope::Invocation:
      return a == b;
    case spv::Scope::Subgroup:
      return group_a == group_b && wave_a == wave_b;
    case spv::Scope::Workgroup:
      return group_a == group_b;
    default:
      return true;
  }
}

void HappensBefore::acquire(const Thread& thread, const MemoryOrder& order) {
  auto& state = threads_[thread];
  for (const auto& release : state.seen) {
    for (const bool groupshared : {false, true}) {
      if (names(order, groupshared) && holds(order.scope, release.thread, thread) &&
          holds(release.scope, release.thread, thread)) {
        const auto& what = release.what.at(groupshared);
        state.known[groupshared].insert(what.begin(), what.end());
      }
    }
  }
}

void HappensBefore::release(const Thread& thread, const MemoryOrder& order) {
  auto& state = threads_[thread];
  Release release{thread, order.scope, {{false, {}}, {true, {}}}};
  for (const bool groupshared : {false, true}) {
    if (names(order, groupshared)) {
      release.what[groupshared] = state.known[groupshared];
    }
  }
  state.released.push_back(release);
}

void HappensBefore::meet(const std::vector<Thread>& threads, const MemoryOrder& order) {
  for (const bool groupshared : {false, true}) {
    if (!names(order, groupshared)) {
      continue;
    }
    Accesses all;
    for (const auto& thread : threads) {
      const auto& known = threads_[thread].known[groupshared];
      all.insert(known.begin(), known.end());
    }
    for (const auto& thread : threads) {
      threads_[thread].known[groupshared] = all;
    }
  }
}

void HappensBefore::on_barrier_passed(const machine::Group& group, const machine::BarrierPlan& plan) {
  std::vector<Thread> threads;
  for (const auto& wave : group.waves) {
    machine::for_each_lane(wave.full,
                           [&](std::uint32_t lane) { threads.emplace_back(group.number, wave.index, lane); });
  }
  // It ties the fences before it to those behind it, whatever it orders itself.
  std::vector<Release> released;
  for (const auto& thread : threads) {
    const auto& own = threads_[thread].released;
    released.insert(released.end(), own.begin(), own.end());
  }
  for (const auto& thread : threads) {
    threads_[thread].seen.insert(threads_[thread].seen.end(), released.begin(), released.end());
  }
  if (!acquires(plan.order) || !releases(plan.order) || !holds(plan.order.scope, threads.front(), threads.back())) {
    return;
  }
  for (const auto& thread : threads) {
    acquire(thread, plan.order);
  }
  meet(threads, plan.order);
  for (const auto& thread : threads) {
    release(thread, plan.order);
  }
}

void HappensBefore::on_fence(const machine::Wave& wave, const machine::OpSource& /*source*/,
                             const machine::BarrierPlan& plan) {
  std::vector<Thread> threads;
  machine::for_each_lane(wave.active,
                         [&](std::uint32_t lane) { threads.emplace_back(wave.group->number, wave.index, lane); });
  for (const auto& thread : threads) {
    if (acquires(plan.order)) {
      acquire(thread, plan.order);
    }
  }
  if (plan.execution == spv::Scope::Subgroup && acquires(plan.order) && releases(plan.order)) {
    meet(threads, plan.order);
  }
  for (const auto& thread : threads) {
    if (releases(plan.order)) {
      release(thread, plan.order);
    }
  }
}

void HappensBefore::synchronise(const Thread& thread, const RacyPlace& place, const machine::AccessPlan& plan) {
  auto& state = threads_[thread];
  auto& published = published_[place];
  const bool is_store = plan.opcode == spv::Op::OpAtomicStore;
  if (!is_store) {
    state.seen.insert(state.seen.end(), published.begin(), published.end());
    if (acquires(plan.order)) {
      acquire(thread, plan.order);
    }
  }
  if (plan.opcode == spv::Op::OpAtomicLoad) {
    return;
  }
  if (releases(plan.order)) {
    release(thread, plan.order);
  }
  if (is_store) {
    published.clear();  // what others released there
  }
  published.insert(published.end(), state.released.begin(), state.released.end());
}

void HappensBefore::on_access(const machine::Wave& wave, const machine::OpSource& /*source*/,
                              const machine::MemoryEvent& event) {
  ++events_;
  const auto each = [&](auto visit) {
    machine::for_each_lane(wave.active, [&](std::uint32_t lane) {
      const auto address = event.lanes[lane];
      const bool groupshared = address.root == machine::groupshared_root;
      const auto group = wave.group->number;
      visit(Thread{group, wave.index, lane}, groupshared,
            RacyPlace{address.root, groupshared ? group : 0, address.offset / 4});
    });
  };
  const auto note = [&](const Thread& thread, bool groupshared, const RacyPlace& place) {
    auto& state = threads_[thread];
    places_[place].push_back(accesses_.size());
    accesses_.push_back({thread, event.plan.kind, events_, state.known});
    // Everybody knows what he did himself.
    state.known[groupshared].insert(accesses_.size() - 1);
  };
  each([&](const Thread& thread, bool groupshared, const RacyPlace& place) {
    note(thread, groupshared, place);
    if (event.plan.kind == AccessKind::atomic) {
      synchronise(thread, place, event.plan);
    }
  });
}

bool HappensBefore::race(const std::vector<std::size_t>& of_place, std::size_t earlier, std::size_t later) const {
  const auto& a = accesses_[earlier];
  const auto& b = accesses_[later];
  const bool both_read = a.kind == AccessKind::read && b.kind == AccessKind::read;
  const bool both_atomic = a.kind == AccessKind::atomic && b.kind == AccessKind::atomic;
  const bool known = b.before.contains(false) && b.before.at(false).contains(earlier);
  const bool known_groupshared = b.before.contains(true) && b.before.at(true).contains(earlier);
  if (both_read || both_atomic || a.thread == b.thread || known || known_groupshared) {
    return false;
  }
  // Who changed the place by an atomic after another one knows of that one.
  return !(a.kind == AccessKind::atomic && std::ranges::any_of(of_place, [&](std::size_t between) {
             return between > earlier && between < later && accesses_[between].thread == b.thread &&
                    accesses_[between].kind == AccessKind::atomic;
           }));
}

std::set<RacyPlace> HappensBefore::find(bool of_writes) const {
  std::set<RacyPlace> found;
  for (const auto& [place, of_place] : places_) {
    const bool groupshared = std::get<0>(place) == machine::groupshared_root;
    for (auto later = of_place.begin(); later != of_place.end(); ++later) {
      for (auto earlier = of_place.begin(); earlier != later; ++earlier) {
        const bool writes =
            accesses_[*earlier].kind == AccessKind::write && accesses_[*later].kind == AccessKind::write;
        if ((groupshared && writes) == of_writes && race(of_place, *earlier, *later)) {
          found.insert(place);
        }
      }
    }
  }
  return found;
}

}  // namespace crosslane::sanitize_tests
