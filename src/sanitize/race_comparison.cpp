// Compares accesses with what shadow memory knows of earlier ones, and with those of other lanes.
#include <algorithm>
#include <array>
#include <cstring>

#include "sanitize/race_detector.hpp"

namespace crosslane::sanitize {

using machine::AccessKind;
using machine::MemoryEvent;
using machine::Wave;

void RaceDetector::check(const Current& current, const Place& place) {
  const auto kind = current.event.plan.kind;
  const auto& [page, index, number] = place;
  // Two writes to groupshared memory may be told later or never: then what was read there before counts.
  if (page.writes.time[index] != 0 && compare(current, page.writes[index], AccessKind::write) &&
      (current.memory == MemoryClass::buffer || kind != AccessKind::write)) {
    return;
  }
  auto* const crowds = current.shadow.existing_crowds(page, index);
  if (kind != AccessKind::read) {
    bool races = false;
    for (const auto* reads : {&page.reads, &page.other_reads}) {
      races = (reads->time[index] != 0 && compare(current, (*reads)[index], AccessKind::read)) || races;
    }
    if (races || (crowds != nullptr && crowds->reads.any_of(clocks_, [&](const PastAccess& past) {
          return compare(current, past, AccessKind::read);
        }))) {
      return;
    }
  }
  // What a thread does after an atomic of its own comes after all atomics on the place before that one.
  if (kind != AccessKind::atomic && crowds != nullptr) {
    crowds->atomics.any_after_own(clocks_, current.thread,
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

// Lanes of one instruction that write the same place.
void RaceDetector::compare_lanes(const Wave& wave, std::uint32_t source, const MemoryEvent& event,
                                 machine::Mask among) {
  std::array<std::uint32_t, machine::largest_wave> order;
  std::size_t count = 0;
  machine::for_each_lane(among, [&](std::uint32_t lane) { order[count++] = lane; });
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const auto x = event.lanes[a];
    const auto y = event.lanes[b];
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
    race.memory = class_of(event.lanes[first].root);
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
    running_->unread.try_emplace(race.address.offset / place_bytes_, &wave, race);
    return;
  }
  for (auto* const listener : listeners_) {
    listener->on_race(wave, race);
  }
}

// A read makes races matter that a write in order would have ended.
void RaceDetector::look_at_unread(const Current& current) {
  auto& unread = running_->unread;
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

}  // namespace crosslane::sanitize
