#include "sanitize/clocks.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace crosslane::sanitize {
namespace {

using machine::MemoryOrder;
using spv::MemorySemanticsMask;

bool has(std::uint32_t semantics, std::initializer_list<MemorySemanticsMask> any) {
  return std::ranges::any_of(any, [semantics](auto bit) { return (semantics & static_cast<std::uint32_t>(bit)) != 0; });
}

bool acquires(std::uint32_t semantics) {
  return has(semantics, {MemorySemanticsMask::Acquire, MemorySemanticsMask::AcquireRelease,
                         MemorySemanticsMask::SequentiallyConsistent});
}

bool releases(std::uint32_t semantics) {
  return has(semantics, {MemorySemanticsMask::Release, MemorySemanticsMask::AcquireRelease,
                         MemorySemanticsMask::SequentiallyConsistent});
}

// Whether the semantics name a class of memory.
bool names(std::uint32_t semantics, std::size_t which) {
  return which == static_cast<std::size_t>(MemoryClass::groupshared)
             ? has(semantics, {MemorySemanticsMask::WorkgroupMemory})
             : has(semantics, {MemorySemanticsMask::UniformMemory, MemorySemanticsMask::CrossWorkgroupMemory,
                               MemorySemanticsMask::ImageMemory});
}

// Calls `visit(which)` for the classes of memory that the semantics name.
template <typename Visit>
void for_each_class(std::uint32_t semantics, Visit visit) {
  for (std::size_t which = 0; which < memory_classes; ++which) {
    if (names(semantics, which)) {
      visit(which);
    }
  }
}

bool writes(spv::Op opcode) { return opcode != spv::Op::OpAtomicLoad; }
bool reads(spv::Op opcode) { return opcode != spv::Op::OpAtomicStore; }

// To whom something is released, from the most on.
constexpr std::size_t level_device = 0;
constexpr std::size_t level_group = 1;
constexpr std::size_t level_wave = 2;

// The first level that the scope reaches; those after it lie inside.
std::size_t widest(spv::Scope scope) {
  switch (scope) {
    case spv::Scope::Invocation:
      return level_wave + 1;
    case spv::Scope::Subgroup:
      return level_wave;
    case spv::Scope::Workgroup:
      return level_group;
    default:
      return level_device;
  }
}

template <typename Map>
bool holds(const Map& all, const Map& some) {
  return all.size() >= some.size() && std::ranges::all_of(some, [&all](const auto& entry) {
           const auto found = all.find(entry.first);
           return found != all.end() && found->second >= entry.second;
         });
}

template <typename Map>
void raise(Map& to, const Map& from) {
  for (const auto& [key, before] : from) {
    auto& mine = to[key];
    mine = std::max(mine, before);
  }
}

}  // namespace

// Accesses before the time are known; of a whole group, or of single threads.
struct Clocks::Knowledge {
  std::map<std::uint32_t, std::uint32_t> groups;
  std::map<ThreadNumber, std::uint32_t> threads;
};

// What was released when atomics wrote a place, to whom it counts.
struct Clocks::Published {
  KnownOfAll device;
  std::unordered_map<std::uint32_t, KnownOfAll> groups;
  std::unordered_map<std::uint32_t, KnownOfAll> waves;
};

struct Clocks::Places {
  struct Hash {
    std::size_t operator()(const SyncPlace& place) const {
      return (place.root * 0x9E3779B97F4A7C15U) ^ (place.offset * 0xC2B2AE3D27D4EB4FU);
    }
  };
  std::unordered_map<SyncPlace, Published, Hash> published;
};

struct Clocks::Thread {
  KnownOfAll known;
  std::array<KnownOfAll, levels> released;  ///< by fences, for atomics to come
  std::array<KnownOfAll, levels> seen;      ///< by atomics, for fences to come
  bool has_seen = false;                    ///< it is in Group::seeing
};

struct Clocks::Group {
  std::uint32_t number = 0;
  std::array<std::uint32_t, memory_classes> horizon{};  ///< all its threads know of all its accesses before
  std::vector<std::uint32_t> times;                     ///< by thread
  std::vector<Thread> threads;                          ///< none while `plain`
  std::vector<ThreadNumber> seeing;                     ///< threads that atomics may have told something
  std::array<KnownOfAll, levels> released;              ///< by barriers, for atomics of any thread
  bool fenced = false;                                  ///< threads released something since the last barrier
  bool plain = true;  ///< no thread has seen or knows of anything but through barriers
  Places places;      ///< in groupshared memory
};

Clocks::Clocks(std::uint32_t lanes, std::uint32_t waves)
    : lanes_(lanes), threads_(lanes * waves), places_(std::make_unique<Places>()) {}
Clocks::~Clocks() = default;

void Clocks::start_group(std::uint64_t group) {
  auto fresh = std::make_unique<Group>();
  fresh->number = static_cast<std::uint32_t>(group);
  fresh->times.assign(threads_, 1);
  groups_[group] = std::move(fresh);
  select(group);
}

void Clocks::end_group(std::uint64_t group) {
  groups_.erase(group);
  group_ = nullptr;
}

void Clocks::select(std::uint64_t group) {
  if (group_ == nullptr || group_->number != group) {
    group_ = groups_.at(group).get();
    first_ = static_cast<ThreadNumber>(group * threads_);
    times_ = group_->times.data();
    horizon_ = &group_->horizon;
  }
}

Clocks::Thread& Clocks::state(ThreadNumber thread) {
  if (group_->plain) {
    group_->plain = false;
    group_->threads.resize(threads_);
  }
  return group_->threads[thread - first_];
}

bool Clocks::knows(Moment before, ThreadNumber thread, std::size_t which) const {
  if (group_->plain) {
    return false;
  }
  const auto& known = group_->threads[thread - first_].known[which];
  if (known == nullptr) {
    return false;
  }
  const auto of_group = known->groups.find(group_of(before.thread));
  if (of_group != known->groups.end() && before.time < of_group->second) {
    return true;
  }
  const auto of_thread = known->threads.find(before.thread);
  return of_thread != known->threads.end() && before.time < of_thread->second;
}

Clocks::Known Clocks::join(const Known& a, const Known& b) {
  if (b == nullptr || a == b) {
    return a;
  }
  if (a == nullptr) {
    return b;
  }
  // The same object for the same knowledge: later joins see that at a glance.
  if (holds(b->groups, a->groups) && holds(b->threads, a->threads)) {
    return b;
  }
  if (holds(a->groups, b->groups) && holds(a->threads, b->threads)) {
    return a;
  }
  auto both = std::make_shared<Knowledge>(*a);
  raise(both->groups, b->groups);
  raise(both->threads, b->threads);
  return both;
}

void Clocks::join_into(KnownOfAll& to, const KnownOfAll& from) {
  for (std::size_t which = 0; which < memory_classes; ++which) {
    to[which] = join(to[which], from[which]);
  }
}

void Clocks::acquire(ThreadNumber thread, const MemoryOrder& order) {
  auto& mine = state(thread);
  for (auto level = widest(order.scope); level < levels; ++level) {
    for_each_class(order.semantics, [&](std::size_t which) {
      if (mine.seen[level][which] != nullptr && mine.seen[level][which] != mine.known[which]) {
        mine.known[which] = join(mine.known[which], mine.seen[level][which]);
      }
    });
  }
}

// What a thread knows and did, as one.
Clocks::Known Clocks::knowledge_of(ThreadNumber thread, std::size_t which) {
  const auto& known = state(thread).known[which];
  auto all = known == nullptr ? std::make_shared<Knowledge>() : std::make_shared<Knowledge>(*known);
  if (group_->horizon[which] != 0) {
    all->groups[group_->number] = group_->horizon[which];
  }
  all->threads[thread] = now(thread) + 1;
  return all;
}

void Clocks::release(ThreadNumber thread, const MemoryOrder& order) {
  auto& mine = state(thread);
  for_each_class(order.semantics, [&](std::size_t which) {
    const auto released = knowledge_of(thread, which);
    for (auto level = widest(order.scope); level < levels; ++level) {
      mine.released[level][which] = released;
    }
  });
  ++time(thread);
  group_->fenced = true;
}

// A barrier ties the fences before it to those behind it, whatever it orders itself.
void Clocks::show_releases() {
  if (!group_->fenced) {
    return;
  }
  group_->fenced = false;
  const auto show = [&](std::size_t first, std::size_t count, std::size_t level) {
    const auto some = std::span(group_->threads).subspan(first, count);
    KnownOfAll all;
    for (std::size_t which = 0; which < memory_classes; ++which) {
      auto released = std::make_shared<Knowledge>();
      for (const auto& thread : some) {
        if (const auto& own = thread.released[level][which]; own != nullptr) {
          raise(released->groups, own->groups);
          raise(released->threads, own->threads);
        }
      }
      all[which] = std::move(released);
    }
    for (auto& thread : some) {
      join_into(thread.seen[level], all);
    }
  };
  show(0, threads_, level_group);
  for (std::size_t wave = 0; wave < threads_; wave += lanes_) {
    show(wave, lanes_, level_wave);
  }
  for (std::size_t place = 0; place < threads_; ++place) {
    if (auto& thread = group_->threads[place]; !thread.has_seen) {
      thread.has_seen = true;
      group_->seeing.push_back(first_ + static_cast<ThreadNumber>(place));
    }
  }
}

// What all threads of the group know through atomics, which they do then.
Clocks::Known Clocks::share_among_all(std::size_t which) {
  std::set<Known> distinct;
  const Known* before = nullptr;
  for (const auto& thread : group_->threads) {
    if (thread.known[which] != nullptr && (before == nullptr || thread.known[which] != *before)) {
      distinct.insert(thread.known[which]);
      before = &thread.known[which];
    }
  }
  Known all;
  for (const auto& known : distinct) {
    all = join(all, known);
  }
  if (all != nullptr) {  // the horizon says what the group's own threads did
    auto others = std::make_shared<Knowledge>(*all);
    std::erase_if(others->threads, [&](const auto& entry) { return group_of(entry.first) == group_->number; });
    all = holds(others->groups, all->groups) && holds(others->threads, all->threads) ? all : std::move(others);
  }
  for (auto& thread : group_->threads) {
    if (thread.known[which] != all) {
      thread.known[which] = all;
    }
  }
  return all;
}

void Clocks::barrier(std::uint64_t number, const MemoryOrder& order) {
  select(number);
  show_releases();
  if (!acquires(order.semantics) || !releases(order.semantics) || widest(order.scope) > level_group) {
    return;  // they meet, and nothing is ordered
  }
  auto& own = *group_;
  for (const auto thread : own.seeing) {
    acquire(thread, order);
  }
  const auto after = *std::ranges::max_element(own.times) + 1;
  for_each_class(order.semantics, [&](std::size_t which) {
    const Known all = own.plain ? nullptr : share_among_all(which);
    own.horizon[which] = after;
    auto released = all == nullptr ? std::make_shared<Knowledge>() : std::make_shared<Knowledge>(*all);
    released->groups[own.number] = after;
    for (auto level = widest(order.scope); level < levels; ++level) {
      own.released[level][which] = released;
    }
  });
  std::ranges::fill(own.times, after);
}

// The lanes of a wave wait for each other.
void Clocks::meet(const machine::Wave& wave, const MemoryOrder& order) {
  const auto number = wave.group->number;
  for_each_class(order.semantics, [&](std::size_t which) {
    std::set<Known> distinct;
    machine::for_each_lane(wave.active, [&](std::uint32_t lane) {
      distinct.insert(state(thread(number, wave.index, lane)).known[which]);
    });
    Known all;
    for (const auto& known : distinct) {
      all = join(all, known);
    }
    auto both = all == nullptr ? std::make_shared<Knowledge>() : std::make_shared<Knowledge>(*all);
    machine::for_each_lane(wave.active, [&](std::uint32_t lane) {
      const auto mine = thread(number, wave.index, lane);
      both->threads[mine] = now(mine) + 1;
    });
    all = std::move(both);
    machine::for_each_lane(wave.active,
                           [&](std::uint32_t lane) { state(thread(number, wave.index, lane)).known[which] = all; });
  });
}

void Clocks::fence(const machine::Wave& wave, const machine::BarrierPlan& plan) {
  const auto& order = plan.order;
  const auto number = wave.group->number;
  select(number);
  const auto each = [&](auto visit) {
    machine::for_each_lane(wave.active, [&](std::uint32_t lane) { visit(thread(number, wave.index, lane)); });
  };
  if (acquires(order.semantics)) {
    each([&](ThreadNumber thread) { acquire(thread, order); });
  }
  if (plan.execution == spv::Scope::Subgroup && acquires(order.semantics) && releases(order.semantics) &&
      widest(order.scope) < levels) {
    meet(wave, order);
  }
  if (releases(order.semantics)) {
    each([&](ThreadNumber thread) { release(thread, order); });
  }
}

// The group of the thread is the running one.
void Clocks::atomic(ThreadNumber thread, const SyncPlace& place, bool groupshared, const machine::AccessPlan& plan) {
  auto& mine = state(thread);
  auto& published = (groupshared ? group_->places : *places_).published[place];
  if (reads(plan.opcode)) {
    if (!mine.has_seen) {
      mine.has_seen = true;
      group_->seeing.push_back(thread);
    }
    join_into(mine.seen[level_device], published.device);
    join_into(mine.seen[level_group], published.groups[group_of(thread)]);
    join_into(mine.seen[level_wave], published.waves[thread / lanes_]);
    if (acquires(plan.order.semantics)) {
      acquire(thread, plan.order);
    }
  }
  if (!writes(plan.opcode)) {
    return;
  }
  if (releases(plan.order.semantics)) {
    release(thread, plan.order);
  }
  if (!reads(plan.opcode)) {
    published = {};  // a store ends what others released there
  }
  const auto publish = [&](KnownOfAll& to, std::size_t level) {
    join_into(to, mine.released[level]);
    join_into(to, group_->released[level]);
  };
  publish(published.device, level_device);
  publish(published.groups[group_of(thread)], level_group);
  publish(published.waves[thread / lanes_], level_wave);
}

}  // namespace crosslane::sanitize
