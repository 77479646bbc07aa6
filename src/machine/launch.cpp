#include "machine/launch.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "machine/group_run.hpp"
#include "machine/watched_launch.hpp"
#include "machine/workers.hpp"

namespace crosslane::machine {
namespace {

// Loop iterations that a wave runs at a time, at most.
constexpr std::uint32_t slice = 1U << 12U;
// The longest that a parked group runs at a time, in slices: the longer, the fewer groups are parked where they only
// work for long.
constexpr std::uint32_t most_slices = 64;

// A group that spins, for something that others must do first.
struct Parked {
  std::unique_ptr<Group> group;
  std::uint32_t slices = 1;  ///< how long it runs next time
};

class Dispatch {
 public:
  Dispatch(const Program& program, const Launch& launch)
      : program_(program),
        launch_(launch),
        total_(std::uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2]) {}

  Expected<void> run() {
    const auto wanted = launch_.threads == 0 ? host_threads() : static_cast<int>(launch_.threads);
    const auto workers = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(wanted), total_));
    if (workers <= 1) {
      work();
    } else {
      run_workers(workers, [&] { work(); });
    }
    if (error_) {
      return tl::unexpected<Error>(std::move(*error_));
    }
    return {};
  }

 private:
  void work() {
    std::unique_ptr<Group> group;
    for (;;) {
      const auto number = next_.fetch_add(1);
      if (number >= total_ || failed_) {
        return;
      }
      if (group == nullptr) {
        group = make_group(program_, launch_);
      }
      start_group(*group, program_, number);
      run_one(group);
    }
  }

  // Runs a group to its end; a group that spins and may wait for others is parked, and `group` is then empty.
  void run_one(std::unique_ptr<Group>& group) {
    const auto number = group->number;
    std::uint64_t iterations = 0;
    for (;;) {
      const auto allowed = allowance(iterations, 1);
      auto state = run_group(*group, program_, allowed);
      if (!state) {
        fail_with(number, std::move(state.error()));
        break;
      }
      if (*state == GroupState::ended) {
        waited_ = 0;
        break;
      }
      iterations += iterations_taken(*group, allowed);
      if (*state == GroupState::needs_turn) {
        if (!wait_for_turn(number)) {
          return;
        }
        group->has_turn = true;
        continue;
      }
      if (iterations >= launch_.most_iterations) {
        fail_with(number, endless_loop(*group, launch_.most_iterations));
        break;
      }
      if (group->has_turn) {
        parked_.push_back({std::move(group), 2});
        break;
      }
    }
    if (program_.ordered) {
      end_turn(number);
    }
  }

  // True when all groups before have had their turn; false when the dispatch has failed.
  bool wait_for_turn(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    turned_.wait(lock, [&] { return turn_ == number || failed_; });
    return !failed_;
  }

  // The group has ended or is parked. Whoever has the turn tries the parked groups again before the next group may.
  void end_turn(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    done_.insert(number);
    while (!failed_ && !passing_ && !done_.empty() && *done_.begin() == turn_) {
      passing_ = true;
      lock.unlock();
      retry_parked(turn_ + 1 == total_);
      lock.lock();
      passing_ = false;
      done_.erase(done_.begin());
      ++turn_;
    }
    turned_.notify_all();
  }

  // Iterations of the next `slices` slices, when `done` are done: no more than are left.
  [[nodiscard]] std::uint32_t allowance(std::uint64_t done, std::uint32_t slices) const {
    const auto left = launch_.most_iterations - std::min(done, launch_.most_iterations);
    const auto threads = std::uint64_t{program_.group_size[0]} * program_.group_size[1] * program_.group_size[2];
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(left / threads, 1, std::uint64_t{slice} * slices));
  }

  // One more slice for each parked group; `to_the_end` runs them until none is left.
  void retry_parked(bool to_the_end) {
    do {
      for (auto left = parked_.size(); left > 0; --left) {
        auto parked = std::move(parked_.front());
        parked_.pop_front();
        const auto allowed = allowance(waited_, parked.slices);
        auto state = run_group(*parked.group, program_, allowed);
        if (!state) {
          fail_with(parked.group->number, std::move(state.error()));
          return;
        }
        if (*state == GroupState::ended) {
          waited_ = 0;
          continue;
        }
        waited_ += iterations_taken(*parked.group, allowed);
        if (waited_ >= launch_.most_iterations) {
          fail_with(parked.group->number, endless_loop(*parked.group, launch_.most_iterations));
          return;
        }
        parked.slices = std::min(parked.slices * 2, most_slices);
        parked_.push_back(std::move(parked));
      }
    } while (to_the_end && !parked_.empty() && !failed_);
  }

  // Of several failures the one of the first group is told.
  void fail_with(std::uint64_t number, Error error) {
    const std::scoped_lock lock(mutex_);
    if (!error_ || number < failed_group_) {
      error_ = std::move(error);
      failed_group_ = number;
    }
    failed_ = true;
    turned_.notify_all();
  }

  const Program& program_;
  const Launch& launch_;
  const std::uint64_t total_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::condition_variable turned_;
  std::uint64_t turn_ = 0;                // the group that may use atomics and coherent memory
  bool passing_ = false;                  // somebody is passing the turn on
  std::set<std::uint64_t> done_;          // groups that have ended, at or after `turn_`
  std::deque<Parked> parked_;             // belongs to whoever has the turn
  std::atomic<std::uint64_t> waited_{0};  // iterations of parked groups, tried again, since a group last ended
  std::optional<Error> error_;
  std::uint64_t failed_group_ = 0;
};

}  // namespace

Expected<void> run(const Program& program, const Launch& launch) {
  return launch.observer != nullptr ? run_watched(program, launch) : Dispatch(program, launch).run();
}

}  // namespace crosslane::machine
