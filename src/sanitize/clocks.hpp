// Which memory accesses are ordered: what each thread knows of the accesses of others, by the memory model.
//
// A thread's time rises whenever it releases what it did. It knows of another thread's accesses up to a time, because a
// barrier of the group, a barrier of the wave or a chain of atomics and fences says so. Groupshared memory and buffers
// are known of apart: a barrier orders those that its semantics name.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "machine/group.hpp"
#include "machine/observer.hpp"

namespace crosslane::sanitize {

enum class MemoryClass : std::uint8_t { groupshared, buffer };
constexpr std::size_t memory_classes = 2;

/// A lane of a wave of a group of the dispatch.
using ThreadNumber = std::uint32_t;

/// When somebody did something.
struct Moment {
  ThreadNumber thread = 0;
  std::uint32_t time = 0;
};

/// A place that atomics synchronise on.
struct SyncPlace {
  std::uint64_t root = 0;
  std::uint64_t offset = 0;
  friend bool operator==(const SyncPlace&, const SyncPlace&) = default;
};

/// What all threads of a group know at least: of accesses of its own threads before the horizon.
struct GroupView {
  ThreadNumber first = 0;     ///< the group's first thread
  std::uint32_t threads = 0;  ///< of the group
  std::uint32_t horizon = 0;
};

class Clocks {
 public:
  /// Threads of a group are numbered by wave and lane: `lanes` for each of `waves`.
  Clocks(std::uint32_t lanes, std::uint32_t waves);
  Clocks(const Clocks&) = delete;
  Clocks& operator=(const Clocks&) = delete;
  ~Clocks();

  void start_group(std::uint64_t group);
  void end_group(std::uint64_t group);
  /// The running group: `now` and `ordered` ask for its threads.
  void select(std::uint64_t group);

  [[nodiscard]] ThreadNumber thread(std::uint64_t group, std::uint32_t wave, std::uint32_t lane) const {
    return static_cast<ThreadNumber>(group * threads_ + std::uint64_t{wave} * lanes_ + lane);
  }
  [[nodiscard]] std::uint32_t group_of(ThreadNumber thread) const { return thread / threads_; }
  [[nodiscard]] std::uint32_t wave_of(ThreadNumber thread) const { return thread % threads_ / lanes_; }
  [[nodiscard]] std::uint32_t lane_of(ThreadNumber thread) const { return thread % threads_ % lanes_; }
  /// Waves of all groups, counted through.
  [[nodiscard]] std::uint32_t wave_number(ThreadNumber thread) const { return thread / lanes_; }
  [[nodiscard]] ThreadNumber thread_in(std::uint32_t wave_number, std::uint32_t lane) const {
    return wave_number * lanes_ + lane;
  }
  [[nodiscard]] bool same_wave(ThreadNumber a, ThreadNumber b) const { return a / lanes_ == b / lanes_; }

  /// The times of the running group's threads, from one on.
  [[nodiscard]] const std::uint32_t* times_from(ThreadNumber thread) const { return times_ + (thread - first_); }
  /// What all threads of the running group know at least of accesses to such memory.
  [[nodiscard]] GroupView view(MemoryClass memory) const {
    return {first_, threads_, (*horizon_)[static_cast<std::size_t>(memory)]};
  }
  /// The running thread's present time.
  [[nodiscard]] std::uint32_t now(ThreadNumber thread) const { return times_[thread - first_]; }
  /// True where the running thread knows of what `before` did with memory of that class.
  [[nodiscard]] bool ordered(Moment before, ThreadNumber thread, MemoryClass memory) const {
    const auto which = static_cast<std::size_t>(memory);
    return before.thread == thread || (before.thread - first_ < threads_ && before.time < (*horizon_)[which]) ||
           knows(before, thread, which);
  }

  /// All threads of the group of that number have met.
  void barrier(std::uint64_t number, const machine::MemoryOrder& order);
  /// A fence, or a barrier of a wave, of these lanes.
  void fence(const machine::Wave& wave, const machine::BarrierPlan& plan);
  /// A thread's atomic on `place`, which is the group's own in groupshared memory.
  void atomic(ThreadNumber thread, const SyncPlace& place, bool groupshared, const machine::AccessPlan& plan);

 private:
  struct Knowledge;
  using Known = std::shared_ptr<const Knowledge>;
  using KnownOfAll = std::array<Known, memory_classes>;
  /// The device, the group, the wave: to whom something is released.
  static constexpr std::size_t levels = 3;
  struct Thread;
  struct Published;
  struct Places;
  struct Group;

  [[nodiscard]] bool knows(Moment before, ThreadNumber thread, std::size_t which) const;
  Thread& state(ThreadNumber thread);
  [[nodiscard]] std::uint32_t& time(ThreadNumber thread) { return times_[thread - first_]; }
  Known knowledge_of(ThreadNumber thread, std::size_t which);
  Known share_among_all(std::size_t which);
  void acquire(ThreadNumber thread, const machine::MemoryOrder& order);
  void release(ThreadNumber thread, const machine::MemoryOrder& order);
  void show_releases();
  void meet(const machine::Wave& wave, const machine::MemoryOrder& order);
  static Known join(const Known& a, const Known& b);
  static void join_into(KnownOfAll& to, const KnownOfAll& from);

  std::uint32_t lanes_;
  std::uint32_t threads_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Group>> groups_;
  Group* group_ = nullptr;  ///< the running one, and what is asked of it most
  ThreadNumber first_ = 0;
  std::uint32_t* times_ = nullptr;
  const std::array<std::uint32_t, memory_classes>* horizon_ = nullptr;
  std::unique_ptr<Places> places_;  ///< in buffers
};

}  // namespace crosslane::sanitize
