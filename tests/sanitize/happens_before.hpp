// What races, the slow and simple way: every access is kept, every thread has the set of those that happened before,
// and all pairs are compared.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "machine/group.hpp"
#include "machine/observer.hpp"
#include "machine/program.hpp"

namespace crosslane::sanitize_tests {

/// Root, group (of groupshared memory alone), offset in words.
using RacyPlace = std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>;

class HappensBefore final : public machine::Observer {
 public:
  /// Places at which two accesses race. In groupshared memory those count apart at which only writes do: what nobody
  /// reads does no harm.
  [[nodiscard]] std::set<RacyPlace> races() const { return find(false); }
  [[nodiscard]] std::set<RacyPlace> races_of_writes() const { return find(true); }

  void on_access(const machine::Wave& wave, const machine::OpSource& source,
                 const machine::MemoryEvent& event) override;
  void on_barrier_passed(const machine::Group& group, const machine::BarrierPlan& plan) override;
  void on_fence(const machine::Wave& wave, const machine::OpSource& source, const machine::BarrierPlan& plan) override;

 private:
  /// Group, wave, lane.
  using Thread = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;
  using Accesses = std::set<std::size_t>;      ///< places in accesses_
  using OfClasses = std::map<bool, Accesses>;  ///< by whether they are to groupshared memory

  struct Access {
    Thread thread;
    machine::AccessKind kind = machine::AccessKind::read;
    std::size_t event = 0;  ///< instructions of waves, counted
    OfClasses before;       ///< what the thread knew
  };
  /// What a thread did and knew when it released.
  struct Release {
    Thread thread;
    spv::Scope scope = spv::Scope::Device;
    OfClasses what;
  };
  struct ThreadState {
    OfClasses known;
    std::vector<Release> released;  ///< for its atomics to come
    std::vector<Release> seen;      ///< by its atomics, for acquires to come
  };

  [[nodiscard]] static bool holds(spv::Scope scope, const Thread& a, const Thread& b);
  void acquire(const Thread& thread, const machine::MemoryOrder& order);
  void release(const Thread& thread, const machine::MemoryOrder& order);
  void meet(const std::vector<Thread>& threads, const machine::MemoryOrder& order);
  void synchronise(const Thread& thread, const RacyPlace& place, const machine::AccessPlan& plan);
  [[nodiscard]] bool race(const std::vector<std::size_t>& of_place, std::size_t earlier, std::size_t later) const;
  [[nodiscard]] std::set<RacyPlace> find(bool of_writes) const;

  std::vector<Access> accesses_;
  std::map<RacyPlace, std::vector<std::size_t>> places_;
  std::map<RacyPlace, std::vector<Release>> published_;
  std::map<Thread, ThreadState> threads_;
  std::size_t events_ = 0;
};

}  // namespace crosslane::sanitize_tests
