// Work that several host threads do together.
#pragma once

#include <algorithm>
#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#include <thread>
#include <vector>
#else
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif
#include <tbb/info.h>

namespace crosslane::machine {

inline int host_threads() { return tbb::info::default_concurrency(); }

/// Calls `work()` in `workers` threads at once, and returns when all have.
template <typename Work>
void run_workers(int workers, const Work& work) {
#if defined(__SANITIZE_THREAD__)
  // ThreadSanitizer does not see how oneTBB orders its tasks, since Debian's library is built without it.
  std::vector<std::jthread> threads;
  for (int worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&work] { work(); });
  }
#else
  // oneTBB has as many workers as the host has cores unless it is told otherwise.
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(std::max(workers, host_threads())));
  tbb::task_arena arena(workers);
  arena.execute([&] {
    tbb::parallel_for(
        0, workers, [&](int) { work(); }, tbb::simple_partitioner());
  });
#endif
}

}  // namespace crosslane::machine
