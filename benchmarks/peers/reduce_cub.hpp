// CUB's reduction and a plain read of the same data, timed by CUDA events around one graph of several repeats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace peers {

/// Reduces u32 arrays of `count` elements; `sets` arrays in rotation so that the cache holds none of them.
class CubReduce {
 public:
  CubReduce(std::uint64_t count, int sets, int repeats);
  ~CubReduce();
  CubReduce(const CubReduce&) = delete;
  CubReduce& operator=(const CubReduce&) = delete;

  /// Milliseconds of one reduction, each beginning when the one before has finished: the graph's time over its repeats.
  double time_reduce();
  /// One reduction of array `set` alone between two clock readings, launch included, as a program that needs one sees
  /// it.
  double time_alone(int set);
  /// As time_reduce, where they may overlap: a graph with one branch per set, each with scratch memory of its own.
  double time_overlapping();
  /// Milliseconds of reading the array once, with the fastest of several plain kernels; every word is used.
  double time_read();
  /// The sum that the last reduction of each set left, one per set.
  std::vector<std::uint32_t> results();

  static std::string device_name();
  static std::string driver_version();

 private:
  struct State;
  State* state_;
};

}  // namespace peers
