// VkFFT's transforms through Vulkan, timed by two of the device's timestamps around one command buffer.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace peers {

/// Forward transforms of `batch` arrays of `size` complex f32 in place, as VkFFT does them unless told otherwise;
/// `sets` arrays in rotation.
class VkFft {
 public:
  VkFft(std::uint64_t size, std::uint64_t batch, int sets);
  ~VkFft();
  VkFft(const VkFft&) = delete;
  VkFft& operator=(const VkFft&) = delete;

  /// Milliseconds of one batch, with VkFFT's own barriers between them.
  double time_fft(int repeats);
  /// Fills the first array with `values`, transforms it once and reads it back.
  std::vector<std::complex<float>> transform(const std::vector<std::complex<float>>& values);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace peers
