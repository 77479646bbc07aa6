// cuFFT's transforms and a plain copy of the same data, timed by CUDA events around one graph of several repeats.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace peers {

/// Forward transforms of `batch` arrays of `size` complex f32, from one array into another; `sets` pairs of arrays in
/// rotation.
class CuFft {
 public:
  /// All arrays hold `points` again and again.
  CuFft(const std::vector<std::complex<float>>& points, std::uint64_t size, std::uint64_t batch, int sets, int repeats);
  ~CuFft();
  CuFft(const CuFft&) = delete;
  CuFft& operator=(const CuFft&) = delete;

  /// Milliseconds of one batch, each beginning when the one before has finished.
  double time_fft();
  /// Milliseconds of copying the array once: what reading and writing as much takes.
  double time_copy();
  /// The first `count` results of a set.
  std::vector<std::complex<float>> results(int set, std::uint64_t count);

 private:
  struct State;
  State* state_;
};

}  // namespace peers
