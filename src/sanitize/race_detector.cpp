#include "sanitize/race_detector.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/rounding.hpp"
#include "machine/address.hpp"
#include "machine/observe.hpp"

namespace crosslane::sanitize {
namespace {

using machine::AccessKind;
using machine::LaneAddress;
using machine::MemoryEvent;
using machine::Wave;

std::uint32_t waves_of(const machine::Program& program) {
  const auto& size = program.group_size;
  return static_cast<std::uint32_t>(divide_up(std::uint64_t{size[0]} * size[1] * size[2], program.wave_size));
}

std::uint64_t bytes_reached(const machine::AccessPlan& plan) {
  return std::uint64_t{plan.components - 1} * plan.stride + plan.component_bytes;
}

// Roots that the program may write; pointers that are values may point to any.
std::vector<bool> written_roots(const machine::Program& program) {
  std::vector<bool> written(program.roots, false);
  for (const auto& op : program.ops) {
    for (const auto mode : {machine::AddressMode::rooted, machine::AddressMode::fat}) {
      if (op.handler == machine::observe_access_handler(mode) && program.accesses[op.count].kind != AccessKind::read) {
        if (mode == machine::AddressMode::fat) {
          written.assign(program.roots, true);
          return written;
        }
        written[op.aux] = true;
      }
    }
  }
  return written;
}

std::vector<bool> coherent_sources(const machine::Program& program) {
  std::vector<bool> coherent(program.sources.size(), true);
  for (const auto& op : program.ops) {
    for (const auto mode : {machine::AddressMode::rooted, machine::AddressMode::fat, machine::AddressMode::physical}) {
      if (op.handler == machine::observe_access_handler(mode)) {
        const auto& plan = program.accesses[op.count];
        coherent[op.source] = coherent[op.source] && (plan.coherent || plan.kind == AccessKind::atomic);
      }
    }
  }
  return coherent;
}

}  // namespace

RaceDetector::RaceDetector(const machine::Program& program, std::vector<RaceListener*> listeners)
    : program_(program),
      listeners_(std::move(listeners)),
      written_(written_roots(program)),
      coherent_(coherent_sources(program)),
      clocks_(program.wave_size, waves_of(program)) {
  for (const auto& plan : program.accesses) {
    place_bytes_ = std::min(place_bytes_, plan.component_bytes);
  }
}

std::optional<std::uint32_t> RaceDetector::last_writer(std::uint32_t root, std::uint64_t offset) {
  const auto& place = buffers_[root].at(offset / place_bytes_);
  return place.write.any() ? std::optional(place.write.source) : std::nullopt;
}

void RaceDetector::on_group(const Wave& first_wave) {
  clocks_.start_group(first_wave.group->number);
  groupshared_[first_wave.group->number] = {};
}

void RaceDetector::on_group_end(const machine::Group& group) {
  clocks_.end_group(group.number);
  groupshared_.erase(group.number);
}

void RaceDetector::on_barrier_passed(const machine::Group& group, const machine::BarrierPlan& plan) {
  clocks_.barrier(group.number, plan.order);
}

void RaceDetector::on_fence(const Wave& wave, const machine::OpSource& /*source*/, const machine::BarrierPlan& plan) {
  clocks_.fence(wave, plan);
}

AccessHistory& RaceDetector::history(const Wave& wave, std::uint32_t root) {
  return root == machine::groupshared_root ? groupshared_[wave.group->number].history : buffers_[root];
}

// Memory that is only read has no races, and what lies outside is not accessed.
bool RaceDetector::is_interesting(const Wave& wave, const MemoryEvent& event, const LaneAddress& address) const {
  if (event.plan.physical) {
    return true;
  }
  return address.root < written_.size() && written_[address.root] &&
         address.offset + bytes_reached(event.plan) <= wave.group->roots[address.root].bytes;
}

void RaceDetector::on_access(const Wave& wave, const machine::OpSource& source, const MemoryEvent& event) {
  machine::Mask lanes;
  machine::for_each_lane(wave.active, [&](std::uint32_t lane) {
    if (is_interesting(wave, event, event.lanes[lane])) {
      lanes = lanes | (machine::first_lanes(lane + 1) - machine::first_lanes(lane));
    }
  });
  if (!lanes.any()) {
    return;
  }
  clocks_.select(wave.group->number);
  const auto number = static_cast<std::uint32_t>(&source - program_.sources.data());
  const auto first_thread = clocks_.thread(wave.group->number, wave.index, 0);
  auto root = event.lanes[lanes.first()].root;
  auto* of_root = &history(wave, root);
  const auto each = [&](auto visit) {
    machine::for_each_lane(lanes, [&](std::uint32_t lane) {
      const auto& address = event.lanes[lane];
      if (address.root != root) {
        root = address.root;
        of_root = &history(wave, root);
      }
      const auto memory = root == machine::groupshared_root ? MemoryClass::groupshared : MemoryClass::buffer;
      const auto thread = first_thread + lane;
      visit(Current{wave, event, *of_root, number, lane, thread, clocks_.now(thread), memory, address});
    });
  };
  if (!groupshared_[wave.group->number].unread.empty()) {
    each([&](const Current& current) {
      if (current.memory == MemoryClass::groupshared) {
        look_at_unread(current);
      }
    });
  }
  if (event.plan.kind == AccessKind::atomic) {
    each([&](const Current& current) {
      for_each_place(current, [&](Place& place) { check(current, place); });
      for_each_place(current, [&](Place& place) { record(current, place); });
      synchronise(current);
    });
    return;
  }
  if (event.plan.kind == AccessKind::write) {
    compare_lanes(wave, number, event, lanes);
  }
  // All lanes access at once: none sees what another one does.
  each([&](const Current& current) { for_each_place(current, [&](Place& place) { check(current, place); }); });
  each([&](const Current& current) { for_each_place(current, [&](Place& place) { record(current, place); }); });
}

// Lanes of one instruction that write the same place.
void RaceDetector::compare_lanes(const Wave& wave, std::uint32_t source, const MemoryEvent& event,
                                 machine::Mask among) {
  std::array<std::uint32_t, machine::largest_wave> order;
  std::size_t count = 0;
  machine::for_each_lane(among, [&](std::uint32_t lane) { order[count++] = lane; });
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const auto& x = event.lanes[a];
    const auto& y = event.lanes[b];
    return x.root != y.root ? x.root < y.root : x.offset < y.offset;
  };
  const auto lanes = std::span(order).first(count);
  if (!std::ranges::is_sorted(lanes, before)) {
    std::ranges::stable_sort(lanes, before);
  }
  for (std::size_t i = 1; i < count; ++i) {
    const auto first = lanes[i - 1];
    const auto second = lanes[i];
    if (before(first, second)) {
      continue;
    }
    bool same = true;
    for (std::uint32_t component = 0; component < event.plan.components; ++component) {
      const auto* row = event.values + std::size_t{component} * event.padded * event.plan.component_bytes;
      same =
          same && std::memcmp(row + std::size_t{first} * event.plan.component_bytes,
                              row + std::size_t{second} * event.plan.component_bytes, event.plan.component_bytes) == 0;
    }
    Race race;
    race.memory = event.lanes[first].root == machine::groupshared_root ? MemoryClass::groupshared : MemoryClass::buffer;
    race.relation = Relation::same_instruction;
    race.same_value = same;
    race.earlier = clocks_.thread(wave.group->number, wave.index, first);
    race.later = clocks_.thread(wave.group->number, wave.index, second);
    race.earlier_source = race.later_source = source;
    race.address = event.lanes[first];
    race.time = std::max(clocks_.now(race.earlier), clocks_.now(race.later));
    report(wave, race);
  }
}

void RaceDetector::report(const Wave& wave, const Race& race) {
  const bool both_write = race.earlier_kind == AccessKind::write && race.later_kind == AccessKind::write;
  if (both_write && race.memory == MemoryClass::groupshared) {
    groupshared_[wave.group->number].unread.try_emplace(race.address.offset / place_bytes_, &wave, race);
    return;
  }
  for (auto* const listener : listeners_) {
    listener->on_race(wave, race);
  }
}

// A read makes races matter that a write in order would have ended.
void RaceDetector::look_at_unread(const Current& current) {
  auto& unread = groupshared_[current.wave.group->number].unread;
  const auto found = unread.find(current.address.offset / place_bytes_);
  if (unread.empty() || found == unread.end()) {
    return;
  }
  const auto& [wave, race] = found->second;
  if (current.event.plan.kind == AccessKind::write) {
    const auto is_before = [&](ThreadNumber thread, std::uint32_t time) {
      return clocks_.ordered({thread, time}, current.thread, current.memory);
    };
    if (!is_before(race.earlier, race.time) || !is_before(race.later, race.time)) {
      return;
    }
  } else {
    for (auto* const listener : listeners_) {
      listener->on_race(*wave, race);
    }
  }
  unread.erase(found);
}

template <typename Visit>
void RaceDetector::for_each_place(const Current& current, Visit visit) const {
  const auto& plan = current.event.plan;
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    const auto first = current.address.offset + std::uint64_t{component} * plan.stride;
    const auto last = first + plan.component_bytes - 1;
    for (auto place = first / place_bytes_; place <= last / place_bytes_; ++place) {
      visit(current.history.at(place));
    }
  }
}

void RaceDetector::check(const Current& current, const Place& place) {
  const auto kind = current.event.plan.kind;
  if (place.write.any() && compare(current, place.write, AccessKind::write)) {
    return;
  }
  auto* const crowds = current.history.existing_crowds(place);
  if (kind != AccessKind::read) {
    if (place.read.any() && compare(current, place.read, AccessKind::read)) {
      return;
    }
    if (crowds != nullptr && crowds->reads.any_of(clocks_, 0, [&](const PastAccess& past) {
          return compare(current, past, AccessKind::read);
        })) {
      return;
    }
  }
  // What a thread does after an atomic of its own comes after all atomics on the place before that one.
  if (kind != AccessKind::atomic && crowds != nullptr) {
    crowds->atomics.any_of(clocks_, crowds->atomics.order_of(current.thread, clocks_),
                           [&](const PastAccess& past) { return compare(current, past, AccessKind::atomic); });
  }
}

// True where the two race.
bool RaceDetector::compare(const Current& current, const PastAccess& past, AccessKind kind) {
  const bool ordered = clocks_.ordered(past.moment, current.thread, current.memory);
  const bool same_group = clocks_.group_of(past.moment.thread) == clocks_.group_of(current.thread);
  const bool unseen = ordered && !same_group && kind == AccessKind::write && !program_.vulkan_memory_model &&
                      !(coherent_[past.source] && coherent_[current.source]);
  if (ordered && !unseen) {
    return false;
  }
  Race race;
  race.memory = current.memory;
  race.relation = !same_group                                             ? Relation::other_group
                  : clocks_.same_wave(past.moment.thread, current.thread) ? Relation::same_wave
                                                                          : Relation::other_wave;
  race.not_coherent = unseen;
  race.same_value = !unseen && kind == AccessKind::write && current.event.plan.kind == AccessKind::write &&
                    writes_same_value(current);
  race.earlier = past.moment.thread;
  race.earlier_source = past.source;
  race.earlier_kind = kind;
  tell(current, race);
  return true;
}

// What is there already is what the earlier write left.
bool RaceDetector::writes_same_value(const Current& current) {
  const auto& plan = current.event.plan;
  if (plan.physical) {
    return false;
  }
  const auto& root = current.wave.group->roots[current.address.root];
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    const auto* value =
        current.event.values + (std::size_t{component} * current.event.padded + current.lane) * plan.component_bytes;
    const auto* there = root.data + current.address.offset + std::size_t{component} * plan.stride;
    if (std::memcmp(value, there, plan.component_bytes) != 0) {
      return false;
    }
  }
  return true;
}

void RaceDetector::tell(const Current& current, Race race) {
  race.later = current.thread;
  race.later_source = current.source;
  race.later_kind = current.event.plan.kind;
  race.address = current.address;
  race.time = current.time;
  report(current.wave, race);
}

void RaceDetector::record(const Current& current, Place& place) {
  const PastAccess access{{current.thread, current.time}, current.source};
  switch (current.event.plan.kind) {
    case AccessKind::write:
      place.write = access;
      place.read = {};
      current.history.release_crowds(place);
      return;
    case AccessKind::atomic:
      current.history.crowds_of(place).atomics.add(access, clocks_, ++atomics_);
      return;
    case AccessKind::read:
      if (place.read.any() && !clocks_.ordered(place.read.moment, current.thread, current.memory)) {
        auto& crowds = current.history.crowds_of(place);
        crowds.reads.add(place.read, clocks_);
      }
      place.read = access;
      return;
  }
}

void RaceDetector::synchronise(const Current& current) {
  const bool groupshared = current.memory == MemoryClass::groupshared;
  clocks_.atomic(current.thread, {current.address.root, current.address.offset}, groupshared, current.event.plan);
}

}  // namespace crosslane::sanitize
