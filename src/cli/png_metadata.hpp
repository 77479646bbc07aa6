// What PNG files say beside their pixels.
#pragma once

#include <spng.h>

#include <vector>

namespace crosslane::cli {

/// What there may be several of; libspng refers to it until an image is written.
struct PngLists {
  std::vector<spng_text> texts;
  std::vector<spng_splt> palettes;
  std::vector<spng_unknown_chunk> unknown;
};

/// Takes over from a file that was read all of it, in the same colours or those of a palette that were written out,
/// what libspng knows, and ancillary chunks that it does not know and that may be copied. What was read and `lists`,
/// which is filled, have to live as long as `writer`. Gives libspng's error, 0 for none.
int copy_png_metadata(spng_ctx& reader, spng_ctx& writer, PngLists& lists);

}  // namespace crosslane::cli
