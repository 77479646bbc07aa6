// NPP's Gaussian filter of 9 × 9 pixels and a plain copy of the same image, timed by CUDA events around several
// repeats.
#pragma once

#include <cstdint>
#include <vector>

namespace peers {

/// Filters square images of `side` × `side` pixels of 4 bytes, with the last pixels repeated beyond the borders; `sets`
/// pairs of images in rotation.
class NppBlur {
 public:
  NppBlur(const std::vector<std::uint32_t>& pixels, std::uint32_t side, int sets, int repeats);
  ~NppBlur();
  NppBlur(const NppBlur&) = delete;
  NppBlur& operator=(const NppBlur&) = delete;

  /// Milliseconds of one filter of one f32 per pixel, each beginning when the one before has finished.
  double time_f32();
  /// The same of four channels of 8 bits.
  double time_rgba8();
  /// Milliseconds of copying the image once: what reading and writing as much takes.
  double time_copy();

 private:
  struct State;
  State* state_;
};

}  // namespace peers
