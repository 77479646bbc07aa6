// Finds pairs of accesses to the same memory, one of them a write, that nothing orders.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/observer.hpp"
#include "machine/program.hpp"
#include "sanitize/clocks.hpp"
#include "sanitize/relation.hpp"
#include "sanitize/shadow_rows.hpp"

namespace crosslane::sanitize {

/// Of the memory that a root stands for.
inline MemoryClass class_of(std::uint32_t root) {
  return root == machine::groupshared_root ? MemoryClass::groupshared : MemoryClass::buffer;
}

struct Race {
  MemoryClass memory = MemoryClass::groupshared;
  Relation relation = Relation::other_wave;
  bool same_value = false;  ///< both write what the other writes
  /// Ordered after all, but the memory is not declared so that the later access must see the earlier one.
  bool not_coherent = false;
  ThreadNumber earlier = 0;
  std::uint32_t earlier_source = 0;  ///< place in Program::sources
  machine::AccessKind earlier_kind = machine::AccessKind::write;
  ThreadNumber later = 0;
  std::uint32_t later_source = 0;
  machine::AccessKind later_kind = machine::AccessKind::write;
  machine::LaneAddress address;
  std::uint32_t time = 0;  ///< of both, or of the later one
};

class RaceListener {
 public:
  virtual ~RaceListener() = default;
  virtual void on_race(const machine::Wave& wave, const Race& race) = 0;
};

class RaceDetector final : public machine::Observer {
 public:
  RaceDetector(const machine::Program& program, std::vector<RaceListener*> listeners);

  [[nodiscard]] const Clocks& clocks() const { return clocks_; }

  /// The instruction, a place in Program::sources, that last wrote what a root holds at an offset.
  [[nodiscard]] std::optional<std::uint32_t> last_writer(std::uint32_t root, std::uint64_t offset);

  void on_group(const machine::Wave& first_wave) override;
  void on_group_end(const machine::Group& group) override;
  void on_access(const machine::Wave& wave, const machine::OpSource& source,
                 const machine::MemoryEvent& event) override;
  void on_barrier_passed(const machine::Group& group, const machine::BarrierPlan& plan) override;
  void on_fence(const machine::Wave& wave, const machine::OpSource& source, const machine::BarrierPlan& plan) override;

 private:
  /// One lane's part of an access.
  struct Current {
    const machine::Wave& wave;
    const machine::MemoryEvent& event;
    ShadowMemory& shadow;
    std::uint32_t source = 0;
    std::uint32_t lane = 0;
    ThreadNumber thread = 0;
    std::uint32_t time = 0;
    MemoryClass memory = MemoryClass::groupshared;
    machine::LaneAddress address;
  };
  /// A place in shadow memory.
  struct Place {
    ShadowPage& page;
    std::uint32_t index = 0;   ///< in the page
    std::uint64_t number = 0;  ///< of all
  };
  /// Groupshared memory of one group.
  struct GroupMemory {
    ShadowMemory shadow;
    /// Threads that write different values where nobody reads them do no harm: such races are told when the place is
    /// read. By place, with the wave of the later write.
    std::unordered_map<std::uint64_t, std::pair<const machine::Wave*, Race>> unread;
  };

  void measure_texels(const machine::Group& group);
  void select(std::uint64_t group);
  ShadowMemory& shadow(std::uint32_t root);
  [[nodiscard]] bool is_interesting(const machine::Wave& wave, const machine::MemoryEvent& event,
                                    const machine::LaneAddress& address) const;
  [[nodiscard]] std::uint32_t forgotten(MemoryClass memory) const;
  bool access_rows(const machine::Wave& wave, std::uint32_t source, const machine::MemoryEvent& event);
  void access_lanes(const machine::Wave& wave, std::uint32_t source, const machine::MemoryEvent& event);
  void compare_lanes(const machine::Wave& wave, std::uint32_t source, const machine::MemoryEvent& event,
                     machine::Mask among);
  template <typename Visit>
  void for_each_place(const Current& current, Visit visit) const;
  void check(const Current& current, const Place& place);
  bool compare(const Current& current, const PastAccess& past, machine::AccessKind kind);
  void record(const Current& current, const Place& place);
  void end_earlier(const Current& current, const Place& place);
  void record_read(const Current& current, const Place& place);
  void synchronise(const Current& current);
  void tell(const Current& current, Race race);
  [[nodiscard]] static bool writes_same_value(const Current& current);
  /// Tells a race, or keeps it until the place is read.
  void report(const machine::Wave& wave, const Race& race);
  void look_at_unread(const Current& current);

  const machine::Program& program_;
  std::vector<RaceListener*> listeners_;
  std::uint32_t place_bytes_ = 4;  ///< the smallest component that the program accesses
  std::vector<bool> written_;      ///< by root: the program writes it
  std::vector<bool> coherent_;     ///< by source: every access of the instruction is declared coherent
  bool synchronises_ = false;      ///< threads learn of each other through more than barriers of the group
  Clocks clocks_;
  std::array<RowOfPlaces, machine::largest_wave> rows_;  ///< of an access, while it is looked at
  std::uint64_t atomics_ = 0;                            ///< instructions so far
  std::map<std::uint32_t, ShadowMemory> buffers_;        ///< by root
  std::unordered_map<std::uint64_t, std::unique_ptr<GroupMemory>> groupshared_;  ///< by group
  std::vector<std::unique_ptr<GroupMemory>> spare_;                              ///< of groups that have ended
  GroupMemory* running_ = nullptr;                                               ///< of the group `running_group_`
  std::uint64_t running_group_ = 0;
};

}  // namespace crosslane::sanitize
