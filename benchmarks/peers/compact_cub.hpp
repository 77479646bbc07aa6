// CUB's selection and a copy that reads all and writes half, timed by CUDA events around one graph of several repeats.
#pragma once

#include <cstdint>
#include <vector>

namespace peers {

/// Values below it are kept: half of random ones.
inline constexpr std::uint32_t compact_limit = 0x80000000U;

/// Compacts u32 arrays of `count` elements; `sets` pairs of arrays in rotation so that the cache holds none of them.
class CubCompact {
 public:
  CubCompact(std::uint64_t count, int sets, int repeats);
  ~CubCompact();
  CubCompact(const CubCompact&) = delete;
  CubCompact& operator=(const CubCompact&) = delete;

  /// Milliseconds of one compaction, each beginning when the one before has finished.
  double time_compact();
  /// Milliseconds of reading the array once and writing half as much.
  double time_copy();
  /// The last compaction's output of a set, room for all elements; and how many were kept.
  std::vector<std::uint32_t> results(int set, std::uint64_t& kept);

 private:
  struct State;
  State* state_;
};

}  // namespace peers
