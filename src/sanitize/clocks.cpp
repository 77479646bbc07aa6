#include "sanitize/clocks.hpp"

#include <algorithm>
#include <set>
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

// The classes of memory that the semantics name.
std::vector<std::size_t> classes(std::uint32_t semantics) {
  std::vector<std::size_t> named;
  if (has(semantics, {MemorySemanticsMask::WorkgroupMemory})) {
    named.push_back(static_cast<std::size_t>(MemoryClass::groupshared));
  }
  if (has(semantics, {MemorySemanticsMask::UniformMemory, MemorySemanticsMask::CrossWorkgroupMemory,
                      MemorySemanticsMask::ImageMemory})) {
    named.push_back(static_cast<std::size_t>(MemoryClass::buffer));
  }
  return named;
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
  return std::ranges::all_of(some, [&all](const auto& entry) {
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
  std::uint32_t time = 1;
  KnownOfAll known;
  std::array<KnownOfAll, levels> released;  ///< by fences, for atomics to come
  std::array<KnownOfAll, levels> seen;      ///< by atomics, for fences to come
};

struct Clocks::Group {
  std::uint32_t number = 0;
  std::array<std::uint32_t, memory_classes> horizon{};  ///< all its threads know of all its accesses before
  std::vector<Thread> threads;
  Places places;  ///< in groupshared memory
};

Clocks::Clocks(std::uint32_t lanes, std::uint32_t waves)
    : lanes_(lanes), threads_(lanes * waves), places_(std::make_unique<Places>()) {}
Clocks::~Clocks() = default;

void Clocks::start_group(std::uint64_t group) {
  auto fresh = std::make_unique<Group>();
  fresh->number = static_cast<std::uint32_t>(group);
  fresh->threads.resize(threads_);
  groups_[group] = std::move(fresh);
  last_group_ = nullptr;
}

void Clocks::end_group(std::uint64_t group) {
  groups_.erase(group);
  last_group_ = nullptr;
}

Clocks::Group& Clocks::group_numbered(std::uint64_t number) {
  if (last_group_ == nullptr || last_number_ != number) {
    last_group_ = groups_.at(number).get();
    last_number_ = number;
  }
  return *last_group_;
}

Clocks::Thread& Clocks::state(ThreadNumber thread) { return group(thread).threads[thread % threads_]; }

std::uint32_t Clocks::now(ThreadNumber thread) { return state(thread).time; }

bool Clocks::ordered(Moment before, ThreadNumber thread, MemoryClass memory) {
  if (before.thread == thread) {
    return true;
  }
  const auto which = static_cast<std::size_t>(memory);
  auto& own = group(thread);
  if (group_of(before.thread) == own.number && before.time < own.horizon[which]) {
    return true;
  }
  const auto& known = own.threads[thread % threads_].known[which];
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
    for (const auto which : classes(order.semantics)) {
      mine.known[which] = join(mine.known[which], mine.seen[level][which]);
    }
  }
}

void Clocks::release(ThreadNumber thread, const MemoryOrder& order) {
  auto& mine = state(thread);
  const auto& own = group(thread);
  for (const auto which : classes(order.semantics)) {
    auto released =
        mine.known[which] == nullptr ? std::make_shared<Knowledge>() : std::make_shared<Knowledge>(*mine.known[which]);
    if (own.horizon[which] != 0) {
      released->groups[own.number] = own.horizon[which];
    }
    released->threads[thread] = mine.time + 1;
    for (auto level = widest(order.scope); level < levels; ++level) {
      mine.released[level][which] = released;
    }
  }
  ++mine.time;
}

void Clocks::barrier(std::uint64_t number, const MemoryOrder& order) {
  auto& own = group_numbered(number);
  const auto first = static_cast<ThreadNumber>(number * threads_);
  if (!acquires(order.semantics) || !releases(order.semantics) || widest(order.scope) > level_group) {
    return;  // they meet, and nothing is ordered
  }
  std::uint32_t time = 0;
  for (ThreadNumber thread = 0; thread < threads_; ++thread) {
    acquire(first + thread, order);
    time = std::max(time, own.threads[thread].time);
  }
  ++time;
  KnownOfAll released;
  for (const auto which : classes(order.semantics)) {
    std::set<Known> distinct;
    for (const auto& thread : own.threads) {
      distinct.insert(thread.known[which]);
    }
    Known all;
    for (const auto& known : distinct) {
      all = join(all, known);
    }
    own.horizon[which] = time;
    auto with_group = all == nullptr ? std::make_shared<Knowledge>() : std::make_shared<Knowledge>(*all);
    std::erase_if(with_group->threads, [&](const auto& entry) { return group_of(entry.first) == own.number; });
    if (all != nullptr) {
      all = std::make_shared<Knowledge>(*with_group);
    }
    with_group->groups[own.number] = time;
    released[which] = std::move(with_group);
    for (auto& thread : own.threads) {
      thread.known[which] = all;
    }
  }
  for (auto& thread : own.threads) {
    thread.time = time;
    for (const auto which : classes(order.semantics)) {
      for (auto level = widest(order.scope); level < levels; ++level) {
        thread.released[level][which] = released[which];
      }
    }
  }
}

// The lanes of a wave wait for each other.
void Clocks::meet(const machine::Wave& wave, const MemoryOrder& order) {
  const auto number = wave.group->number;
  for (const auto which : classes(order.semantics)) {
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
      both->threads[mine] = state(mine).time + 1;
    });
    all = std::move(both);
    machine::for_each_lane(wave.active,
                           [&](std::uint32_t lane) { state(thread(number, wave.index, lane)).known[which] = all; });
  }
}

void Clocks::fence(const machine::Wave& wave, const machine::BarrierPlan& plan) {
  const auto& order = plan.order;
  const auto number = wave.group->number;
  if (acquires(order.semantics)) {
    machine::for_each_lane(wave.active, [&](std::uint32_t lane) { acquire(thread(number, wave.index, lane), order); });
  }
  if (plan.execution == spv::Scope::Subgroup && acquires(order.semantics) && releases(order.semantics) &&
      widest(order.scope) < levels) {
    meet(wave, order);
  }
  if (releases(order.semantics)) {
    machine::for_each_lane(wave.active, [&](std::uint32_t lane) { release(thread(number, wave.index, lane), order); });
  }
}

void Clocks::atomic(ThreadNumber thread, const SyncPlace& place, bool groupshared, const machine::AccessPlan& plan) {
  auto& mine = state(thread);
  auto& published = (groupshared ? group(thread).places : *places_).published[place];
  if (reads(plan.opcode)) {
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
  join_into(published.device, mine.released[level_device]);
  join_into(published.groups[group_of(thread)], mine.released[level_group]);
  join_into(published.waves[thread / lanes_], mine.released[level_wave]);
}

}  // namespace crosslane::sanitize
