#include "machine/watched_launch.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "machine/group_run.hpp"
#include "machine/observer.hpp"

namespace crosslane::machine {
namespace {

// Loop iterations that a wave runs before it is looked whether the group only waits, twice as many each time.
constexpr std::uint32_t first_look = 1U << 5U;
constexpr std::uint32_t slice = 1U << 12U;
// Before other groups have their turn; when it begins, a group has half of what is allowed to all.
constexpr std::uint64_t later_turn = 1U << 12U;

std::size_t hash(const std::byte* data, std::uint64_t bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(data), bytes});
}

class Watched {
 public:
  Watched(const Program& program, const Launch& launch)
      : program_(program),
        launch_(launch),
        total_(std::uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2]) {}

  Expected<void> run() {
    launch_.observer->on_dispatch(program_);
    while (started_ < total_ || !waiting_.empty()) {
      const bool room = launch_.schedule.resident == 0 || waiting_.size() < launch_.schedule.resident;
      auto done = started_ < total_ && room ? start_next() : continue_waiting();
      if (!done) {
        return done;
      }
    }
    return {};
  }

 private:
  struct Waiting {
    std::unique_ptr<Group> group;
    bool idle = false;  ///< nothing of its own changed when it ran last
  };

  Expected<void> start_next() {
    auto group = spare_ != nullptr ? std::move(spare_) : make_group(program_, launch_);
    const auto number = launch_.schedule.falling_groups ? total_ - 1 - started_ : started_;
    ++started_;
    start_group(*group, program_, number);
    group->has_turn = true;
    Waiting begun{std::move(group)};
    const auto ended = run_slice(begun, std::max<std::uint64_t>(launch_.most_iterations / 2, 1));
    if (ended && !*ended) {
      waiting_.push_back(std::move(begun));
      state_ = 0;
    }
    return ended.map([](bool) {});
  }

  // One slice for each group that waits. When all are where they were before, with nothing changed, they stay there;
  // buffers can be large, so they are looked at where nothing else changed.
  Expected<void> continue_waiting() {
    for (auto& one : waiting_) {
      auto ended = run_slice(one, later_turn * one.group->waves.size() * program_.wave_size);
      if (!ended) {
        return tl::unexpected<Error>(std::move(ended.error()));
      }
    }
    const auto gone = std::erase_if(waiting_, [](const Waiting& one) { return one.group == nullptr; });
    const bool idle = gone == 0 && std::ranges::all_of(waiting_, &Waiting::idle);
    const auto state = idle ? state_of_all() : 0;
    if (idle && state == state_) {
      return stuck(waiting_.front(), 0);
    }
    state_ = state;
    return {};
  }

  // True when the group has ended; it is then gone. `turn` is how many iterations of threads it may take.
  Expected<bool> run_slice(Waiting& one, std::uint64_t turn) {
    std::size_t before = 0;
    one.idle = false;
    for (auto look = first_look; turn > 0; look = std::min(look * 2, slice)) {
      auto state = run_group(*one.group, program_, look);
      if (!state) {
        return tl::unexpected<Error>(std::move(state.error()));
      }
      if (*state == GroupState::ended) {
        iterations_ = 0;
        spare_ = std::move(one.group);
        return true;
      }
      const auto taken = iterations_taken(*one.group, look);
      turn -= std::min(turn, taken);
      iterations_ += taken;
      if (iterations_ >= launch_.most_iterations) {
        return stuck(one, launch_.most_iterations).map([] { return false; });
      }
      const auto now = state_of(*one.group, 1);
      one.idle = now == before;
      if (one.idle) {
        break;  // others must do something first
      }
      before = now;
    }
    return false;
  }

  [[nodiscard]] Expected<void> stuck(const Waiting& one, std::uint64_t iterations) const {
    launch_.observer->on_no_progress(*one.group, iterations);
    return tl::unexpected<Error>(endless_loop(*one.group, iterations_));
  }

  // Of what is the group's own.
  [[nodiscard]] std::size_t state_of(const Group& group, std::size_t state) const {
    const auto mix = [&state](std::size_t more) { state = (state ^ more) * 0x9E3779B97F4A7C15U; };
    for (const auto& wave : group.waves) {
      mix(hash(wave.registers, program_.register_bytes));
      mix(static_cast<std::size_t>(wave.next - program_.ops.data()));
      mix(static_cast<std::size_t>(wave.active.low ^ wave.active.high));
    }
    mix(hash(group.groupshared, program_.groupshared_bytes));
    return state;
  }

  // Of all that decides how the groups go on.
  [[nodiscard]] std::size_t state_of_all() const {
    std::size_t state = 1;
    const auto mix = [&state](std::size_t more) { state = (state ^ more) * 0x9E3779B97F4A7C15U; };
    for (const auto& one : waiting_) {
      state = state_of(*one.group, state);
    }
    for (const auto& root : launch_.roots) {
      mix(hash(root.data, root.data == nullptr ? 0 : root.bytes));
    }
    for (const auto& range : launch_.addresses) {
      mix(hash(range.data, range.bytes));
    }
    return state;
  }

  const Program& program_;
  const Launch& launch_;
  const std::uint64_t total_;
  std::uint64_t started_ = 0;
  std::vector<Waiting> waiting_;
  std::unique_ptr<Group> spare_;
  std::uint64_t iterations_ = 0;  // of all, since a group last ended
  std::size_t state_ = 0;         // after the last round in which no group began or ended
};

}  // namespace

Expected<void> run_watched(const Program& program, const Launch& launch) { return Watched(program, launch).run(); }

}  // namespace crosslane::machine
