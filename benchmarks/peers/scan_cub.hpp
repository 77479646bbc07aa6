// CUB's inclusive sum and a plain copy of the same data, timed by CUDA events around one graph of several repeats.
#pragma once

#include <cstdint>
#include <vector>

namespace peers {

/// Scans u32 arrays of `count` elements; `sets` pairs of arrays in rotation so that the cache holds none of them.
class CubScan {
 public:
  CubScan(std::uint64_t count, int sets, int repeats);
  ~CubScan();
  CubScan(const CubScan&) = delete;
  CubScan& operator=(const CubScan&) = delete;

  /// Milliseconds of one scan, each beginning when the one before has finished.
  double time_scan();
  /// Milliseconds of copying the array once: what reading and writing as much takes.
  double time_copy();
  /// The last scan's results of a set.
  std::vector<std::uint32_t> results(int set);

 private:
  struct State;
  State* state_;
};

}  // namespace peers
