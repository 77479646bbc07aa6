// What PNG files say beside their pixels.
#pragma once

struct spng_ctx;

namespace crosslane::cli {

/// Takes over from a file that was read all of it, in the same colours or those of a palette that were written out, what libspng
/// knows, and ancillary chunks that it does not know and that may be copied. What was read has to live as long as `writer`.
/// Gives libspng's error, 0 for none.
int copy_png_metadata(spng_ctx& reader, spng_ctx& writer);

}  // namespace crosslane::cli
