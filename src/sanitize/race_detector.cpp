#include "sanitize/race_detector.hpp"

#include <algorithm>
#include <array>

#include "base/rounding.hpp"
#include "machine/address.hpp"
#include "machine/image.hpp"
#include "sanitize/program_facts.hpp"
#include "sanitize/rows_of_access.hpp"

namespace crosslane::sanitize {
namespace {

using machine::AccessKind;
using machine::bytes_reached;
using machine::LaneAddress;
using machine::MemoryEvent;
using machine::Wave;

std::uint32_t waves_of(const machine::Program& program) {
  const auto& size = program.group_size;
  return static_cast<std::uint32_t>(divide_up(std::uint64_t{size[0]} * size[1] * size[2], program.wave_size));
}

machine::Mask one_lane(std::uint32_t lane) { return machine::first_lanes(lane + 1) - machine::first_lanes(lane); }

}  // namespace

RaceDetector::RaceDetector(const machine::Program& program, std::vector<RaceListener*> listeners)
    : program_(program),
      listeners_(std::move(listeners)),
      written_(written_roots(program)),
      coherent_(coherent_sources(program)),
      synchronises_(synchronises(program)),
      clocks_(program.wave_size, waves_of(program)) {
  for (const auto& plan : program.accesses) {
    place_bytes_ = std::min(place_bytes_, plan.component_bytes);
  }
}

std::optional<std::uint32_t> RaceDetector::last_writer(std::uint32_t root, std::uint64_t offset) {
  const auto place = offset / place_bytes_;
  const auto write = buffers_[root].page(place / page_places).writes[place % page_places];
  return write.moment.time != 0 ? std::optional(write.source) : std::nullopt;
}

// Texels can be smaller than what the program's instructions say.
void RaceDetector::measure_texels(const machine::Group& group) {
  for (std::size_t root = 0; root < group.images->size() && root < written_.size(); ++root) {
    const auto& image = (*group.images)[root];
    if (written_[root] && image.texels != nullptr) {
      place_bytes_ = std::min(place_bytes_, machine::texel_part_bytes(image.shape.format));
    }
  }
}

void RaceDetector::on_group(const Wave& first_wave) {
  const auto group = first_wave.group->number;
  if (running_ == nullptr && spare_.empty()) {
    measure_texels(*first_wave.group);
  }
  clocks_.start_group(group);
  auto& memory = groupshared_[group];
  if (spare_.empty()) {
    memory = std::make_unique<GroupMemory>();
  } else {
    memory = std::move(spare_.back());
    spare_.pop_back();
    memory->shadow.clear();
    memory->unread.clear();
  }
  running_ = memory.get();
  running_group_ = group;
}

void RaceDetector::on_group_end(const machine::Group& group) {
  clocks_.end_group(group.number);
  const auto ended = groupshared_.find(group.number);
  spare_.push_back(std::move(ended->second));
  groupshared_.erase(ended);
  running_ = nullptr;
}

void RaceDetector::on_barrier_passed(const machine::Group& group, const machine::BarrierPlan& plan) {
  clocks_.barrier(group.number, plan.order);
}

void RaceDetector::on_fence(const Wave& wave, const machine::OpSource& /*source*/, const machine::BarrierPlan& plan) {
  if (synchronises_) {
    clocks_.fence(wave, plan);
  }
}

void RaceDetector::select(std::uint64_t group) {
  if (running_ == nullptr || running_group_ != group) {
    running_ = groupshared_.at(group).get();
    running_group_ = group;
  }
  clocks_.select(group);
}

ShadowMemory& RaceDetector::shadow(std::uint32_t root) {
  return root == machine::groupshared_root ? running_->shadow : buffers_[root];
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
  if (event.shape.rooted && !written_[event.shape.root]) {
    return;
  }
  select(wave.group->number);
  const auto number = static_cast<std::uint32_t>(&source - program_.sources.data());
  if (!access_rows(wave, number, event)) {
    access_lanes(wave, number, event);
  }
}

// See RowAccess.
std::uint32_t RaceDetector::forgotten(MemoryClass memory) const {
  return memory == MemoryClass::groupshared ? std::max(clocks_.view(memory).horizon, 1U) : 1;
}

// Whole rows at a time, where nothing is to be told. False where the access needs a look at each lane.
bool RaceDetector::access_rows(const Wave& wave, std::uint32_t source, const MemoryEvent& event) {
  const auto& shape = event.shape;
  if (!shape.rooted || event.plan.kind == AccessKind::atomic ||
      shape.highest + bytes_reached(event.plan) > wave.group->roots[shape.root].bytes ||
      (shape.root == machine::groupshared_root && !running_->unread.empty())) {
    return false;
  }
  const auto count = find_rows(event, wave.active, place_bytes_, !synchronises_, rows_);
  if (count == 0) {
    return false;
  }
  const auto first = clocks_.thread(wave.group->number, wave.index, 0);
  const RowAccess access{.memory = shadow(shape.root),
                         .rows = std::span(rows_).first(count),
                         .group = clocks_.view(class_of(shape.root)),
                         .wave_first = first,
                         .wave_lanes = wave.lanes,
                         .times = clocks_.times_from(first),
                         .forgotten = forgotten(class_of(shape.root)),
                         .source = source,
                         .two_readers = !synchronises_,
                         .keeps_reads = shape.root == machine::groupshared_root};
  if (event.plan.kind == AccessKind::read) {
    return record_reads(access);
  }
  if (!is_quiet(access)) {
    return false;
  }
  if (!record_writes(access)) {
    compare_lanes(wave, source, event, wave.active);
  }
  return true;
}

// One lane after the other.
void RaceDetector::access_lanes(const Wave& wave, std::uint32_t source, const MemoryEvent& event) {
  machine::Mask lanes;
  machine::for_each_lane(wave.active, [&](std::uint32_t lane) {
    if (is_interesting(wave, event, event.lanes[lane])) {
      lanes = lanes | one_lane(lane);
    }
  });
  if (!lanes.any()) {
    return;
  }
  const auto first_thread = clocks_.thread(wave.group->number, wave.index, 0);
  auto root = event.lanes[lanes.first()].root;
  auto* of_root = &shadow(root);
  const auto each = [&](auto visit) {
    machine::for_each_lane(lanes, [&](std::uint32_t lane) {
      const auto address = event.lanes[lane];
      if (address.root != root) {
        root = address.root;
        of_root = &shadow(root);
      }
      const auto thread = first_thread + lane;
      visit(Current{wave, event, *of_root, source, lane, thread, clocks_.now(thread), class_of(root), address});
    });
  };
  if (!running_->unread.empty()) {
    each([&](const Current& current) {
      if (current.memory == MemoryClass::groupshared) {
        look_at_unread(current);
      }
    });
  }
  if (event.plan.kind == AccessKind::atomic) {
    ++atomics_;
    each([&](const Current& current) {
      for_each_place(current, [&](const Place& place) { check(current, place); });
      for_each_place(current, [&](const Place& place) { record(current, place); });
      synchronise(current);
    });
    return;
  }
  if (event.plan.kind == AccessKind::write) {
    compare_lanes(wave, source, event, lanes);
  }
  // All lanes access at once: none sees what another one does.
  each([&](const Current& current) { for_each_place(current, [&](const Place& place) { check(current, place); }); });
  each([&](const Current& current) { for_each_place(current, [&](const Place& place) { record(current, place); }); });
}

template <typename Visit>
void RaceDetector::for_each_place(const Current& current, Visit visit) const {
  const auto& plan = current.event.plan;
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    const auto first = current.address.offset + std::uint64_t{component} * plan.stride;
    const auto last = first + plan.component_bytes - 1;
    for (auto place = first / place_bytes_; place <= last / place_bytes_; ++place) {
      visit(Place{current.shadow.page(place / page_places), static_cast<std::uint32_t>(place % page_places), place});
    }
  }
}

void RaceDetector::record(const Current& current, const Place& place) {
  const PastAccess access{{current.thread, current.time}, current.source};
  const auto& [page, index, number] = place;
  switch (current.event.plan.kind) {
    case AccessKind::write:
      page.writes.set(index, access);
      page.touch(index, current.time);
      end_earlier(current, place);
      return;
    case AccessKind::atomic:
      current.shadow.crowds_of(page, index).atomics.add(access, clocks_, atomics_);
      return;
    case AccessKind::read:
      record_read(current, place);
      return;
  }
}

// What was before a write is ordered after it too, unless the write races, and nothing is told of that: see
// GroupMemory.
void RaceDetector::end_earlier(const Current& current, const Place& place) {
  const auto& [page, index, number] = place;
  if (current.memory == MemoryClass::buffer) {
    page.reads.clear(index);
    page.other_reads.clear(index);
    current.shadow.release_crowds(page, index);
  } else if (auto* const crowds = current.shadow.existing_crowds(page, index)) {
    const auto horizon = clocks_.view(current.memory).horizon;
    const bool reads = crowds->reads.forget_before(horizon);
    const bool atomics = crowds->atomics.forget_before(horizon);
    if (!reads && !atomics) {
      current.shadow.release_crowds(page, index);
    }
  }
}

void RaceDetector::record_read(const Current& current, const Place& place) {
  const auto& [page, index, number] = place;
  if (!synchronises_) {
    const auto lane = current.lane;
    const RowOfPlaces row{number, 1, lane, 0};
    const auto first = current.thread - lane;
    record_reads({.memory = current.shadow,
                  .rows = std::span(&row, 1),
                  .group = clocks_.view(current.memory),
                  .wave_first = first,
                  .wave_lanes = current.wave.lanes,
                  .times = clocks_.times_from(first),
                  .forgotten = forgotten(current.memory),
                  .source = current.source,
                  .two_readers = true});
    return;
  }
  const auto before = page.reads[index];
  if (before.moment.time != 0 && !clocks_.ordered(before.moment, current.thread, current.memory)) {
    current.shadow.crowds_of(page, index).reads.add(before, clocks_);
  }
  page.reads.set(index, {{current.thread, current.time}, current.source});
  page.touch(index, current.time);
}

void RaceDetector::synchronise(const Current& current) {
  const bool groupshared = current.memory == MemoryClass::groupshared;
  clocks_.atomic(current.thread, {current.address.root, current.address.offset}, groupshared, current.event.plan);
}

}  // namespace crosslane::sanitize
