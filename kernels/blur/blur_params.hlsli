// What the host tells a blur's dispatch, and the shapes of its kernels: one declaration for the kernels and for
// src/algorithms.
#ifndef CROSSLANE_BLUR_PARAMS_HLSLI
#define CROSSLANE_BLUR_PARAMS_HLSLI

// Threads per group, a multiple of every wave size. A thread holds some pixels of a row that follow each other, a group
// as many times as many.
#define CROSSLANE_BLUR_THREADS 128

// The largest radius.
#define CROSSLANE_BLUR_RADIUS 32

// A row per format: what a pixel is made of, and how kernels for it are cut. To be tuned:
//   pixels       per thread; together they are 1, 2, 3 or 4 words
//   step         rows that are loaded together, while those before are blurred along columns
//   fused        up to this radius rows and columns are blurred in one pass, and 2 * fused + step rows of a thread's pixels
//                stay in its registers; beyond, in two passes
//   column_rows  rows that a thread of the second pass makes at a time
//
//    format  channels bits unorm  pixels step fused column_rows
#define CROSSLANE_BLUR_FORMATS(ROW)        \
  ROW(f32,    1,     32,  0,     4,    6,   16,   8) \
  ROW(f32x4,  4,     32,  0,     1,    4,    8,   8) \
  ROW(f16,    1,     16,  0,     4,    4,   16,   8) \
  ROW(r8,     1,      8,  1,     4,    4,   16,   8) \
  ROW(rgb8,   3,      8,  1,     4,    2,    4,   4) \
  ROW(rgba8,  4,      8,  1,     1,    6,    4,   4) \
  ROW(r16,    1,     16,  1,     4,    4,   16,   8) \
  ROW(rgb16,  3,     16,  1,     2,    4,    4,   8) \
  ROW(rgba16, 4,     16,  1,     2,    4,    4,   8)

// Floats that a pixel of so many channels takes between two passes: three would not be laid out alike everywhere.
#define CROSSLANE_BLUR_STORED(channels) ((channels) == 3 ? 4 : (channels))

// The ids of the kernels' specialization constants.
#define CROSSLANE_BLUR_SPEC_RADIUS 0
#define CROSSLANE_BLUR_SPEC_BORDER 1        // BlurBorder's number
#define CROSSLANE_BLUR_SPEC_PREMULTIPLY 2   // 1: colours count as much as their alpha
#define CROSSLANE_BLUR_SPEC_LINEAR 3        // 1: colours are sRGB, and light is blurred
#define CROSSLANE_BLUR_SPEC_FROM_VECTORS 4  // 1: a thread's pixels can be read as one vector
#define CROSSLANE_BLUR_SPEC_TO_VECTORS 5    // written

// The numbers of borders: those of BlurBorder.
#define CROSSLANE_BLUR_CLAMP 0
#define CROSSLANE_BLUR_MIRROR 1
#define CROSSLANE_BLUR_REFLECT 2
#define CROSSLANE_BLUR_WRAP 3
#define CROSSLANE_BLUR_CONSTANT 4

#ifdef __cplusplus
#include <array>
#include <cstdint>
namespace crosslane::kernel_interface {
using uint = std::uint32_t;
using float4 = std::array<float, 4>;
#endif

// How an image lies in a binding, in words of 4 bytes.
struct BlurImage {
  uint first;
  uint pitch;  // from row to row
};

// Rows of the image from `begin` to `end` are blurred, `rows` of them by each group. The first of two passes leaves rows of floats in
// memory of the plan's own, beginning with row `begin` - radius. What is no number begins at a multiple of 16 bytes, as constant buffers of
// Direct3D 12 have it.
struct BlurParams {
  float4 border;   // a pixel beyond a constant border, channels as numbers
  BlurImage from;
  uint width;      // pixels
  uint height;
  BlurImage to;
  uint begin;
  uint end;
  uint rows;
  uint threads;    // in a row of groups
};

#ifdef __cplusplus
}  // namespace crosslane::kernel_interface
#endif

#endif  // CROSSLANE_BLUR_PARAMS_HLSLI
