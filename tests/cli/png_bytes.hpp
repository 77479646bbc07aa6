// Makes and reads PNG files for tests.
#pragma once

#include <spng.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace crosslane::cli::test {

using SpngContext = std::unique_ptr<spng_ctx, void (*)(spng_ctx*)>;

inline void must_spng(int error) {
  if (error != 0) {
    throw std::runtime_error(spng_strerror(error));
  }
}

struct PngPixels {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint8_t bit_depth = 8;
  std::uint8_t color_type = SPNG_COLOR_TYPE_GRAYSCALE;
  std::vector<std::byte> pixels = {};  ///< as in the file, but in this machine's byte order
  bool interlaced = false;
};

/// A whole file; `add` adds what it says beside its pixels.
inline std::string png_bytes(const PngPixels& image, const std::function<void(spng_ctx*)>& add = {}) {
  const SpngContext context(spng_ctx_new(SPNG_CTX_ENCODER), &spng_ctx_free);
  must_spng(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1));
  spng_ihdr header{image.width,
                   image.height,
                   image.bit_depth,
                   image.color_type,
                   0,
                   0,
                   static_cast<std::uint8_t>(image.interlaced ? 1 : 0)};
  must_spng(spng_set_ihdr(context.get(), &header));
  if (add) {
    add(context.get());
  }
  must_spng(
      spng_encode_image(context.get(), image.pixels.data(), image.pixels.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE));
  int error = 0;
  std::size_t bytes = 0;
  const std::unique_ptr<void, void (*)(void*)> buffer(spng_get_png_buffer(context.get(), &bytes, &error), &std::free);
  must_spng(error);
  return {static_cast<const char*>(buffer.get()), bytes};
}

/// The image of a file; `look` looks at what it says beside.
inline PngPixels png_pixels(const std::string& bytes, const std::function<void(spng_ctx*)>& look = {}) {
  const SpngContext context(spng_ctx_new(0), &spng_ctx_free);
  must_spng(spng_set_png_buffer(context.get(), bytes.data(), bytes.size()));
  must_spng(spng_set_option(context.get(), SPNG_KEEP_UNKNOWN_CHUNKS, 1));
  spng_ihdr header{};
  must_spng(spng_get_ihdr(context.get(), &header));
  std::size_t size = 0;
  must_spng(spng_decoded_image_size(context.get(), SPNG_FMT_PNG, &size));
  PngPixels image{header.width,
                  header.height,
                  header.bit_depth,
                  header.color_type,
                  std::vector<std::byte>(size),
                  header.interlace_method != 0};
  must_spng(spng_decode_image(context.get(), image.pixels.data(), size, SPNG_FMT_PNG, 0));
  must_spng(spng_decode_chunks(context.get()));
  if (look) {
    look(context.get());
  }
  return image;
}

}  // namespace crosslane::cli::test
