#include "cli/png.hpp"

#include <fmt/format.h>
#include <spng.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>

#include "cli/png_metadata.hpp"

namespace crosslane::cli {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// What a file may say beside its pixels takes no more than this.
constexpr std::size_t most_chunk_bytes = std::size_t{64} << 20U;

/// How libspng is asked for the pixels, and what comes.
struct Decoding {
  int format = SPNG_FMT_PNG;
  BlurFormat pixels = BlurFormat::r8;
  bool is_grey = false;
};

Decoding decoding_of(const spng_ihdr& header, bool has_transparent_colour) {
  const bool wide = header.bit_depth == 16;
  const bool is_grey =
      header.color_type == SPNG_COLOR_TYPE_GRAYSCALE || header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA;
  const bool has_alpha = has_transparent_colour || header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ||
                         header.color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
  if (has_alpha) {
    return {wide ? SPNG_FMT_RGBA16 : SPNG_FMT_RGBA8, wide ? BlurFormat::rgba16 : BlurFormat::rgba8, is_grey};
  }
  if (is_grey) {
    return {wide ? SPNG_FMT_PNG : SPNG_FMT_G8, wide ? BlurFormat::r16 : BlurFormat::r8, true};
  }
  return {wide ? SPNG_FMT_PNG : SPNG_FMT_RGB8, wide ? BlurFormat::rgb16 : BlurFormat::rgb8, false};
}

tl::unexpected<Error> malformed(const std::string& name, int error) {
  if (error == SPNG_ESIGNATURE) {
    return fail(ErrorCode::invalid_input, fmt::format("{}: this is not a PNG file: save it as one", name));
  }
  if (error == SPNG_IO_EOF || error == SPNG_EOF) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: the PNG file is truncated: save or copy the image again", name));
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("{}: this PNG file cannot be read ({}): save the image again", name, spng_strerror(error)));
}

spng_ihdr written_header(const Picture& picture, bool is_grey) {
  const bool has_alpha = picture.format == BlurFormat::rgba8 || picture.format == BlurFormat::rgba16;
  const bool wide =
      picture.format == BlurFormat::r16 || picture.format == BlurFormat::rgb16 || picture.format == BlurFormat::rgba16;
  spng_ihdr header{};
  header.width = static_cast<std::uint32_t>(picture.width);
  header.height = static_cast<std::uint32_t>(picture.height);
  header.bit_depth = wide ? 16 : 8;
  header.color_type = is_grey ? (has_alpha ? SPNG_COLOR_TYPE_GRAYSCALE_ALPHA : SPNG_COLOR_TYPE_GRAYSCALE)
                              : (has_alpha ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA : SPNG_COLOR_TYPE_TRUECOLOR);
  return header;
}

// Of four channels of `bytes` bytes each the first and the last.
std::vector<std::byte> grey_and_alpha(std::span<const std::byte> pixels, std::size_t bytes) {
  std::vector<std::byte> kept;
  kept.reserve(pixels.size() / 2);
  for (std::size_t at = 0; at < pixels.size(); at += 4 * bytes) {
    const auto pixel = pixels.subspan(at, 4 * bytes);
    kept.insert(kept.end(), pixel.begin(), pixel.begin() + static_cast<std::ptrdiff_t>(bytes));
    kept.insert(kept.end(), pixel.end() - static_cast<std::ptrdiff_t>(bytes), pixel.end());
  }
  return kept;
}

}  // namespace

Expected<PngFile> PngFile::read(const std::filesystem::path& path, std::uint64_t most_bytes) {
  const std::string name = path.string();
  const File file(std::fopen(name.c_str(), "rb"), &std::fclose);
  if (!file) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: cannot be opened ({}): give yourself the permission to read it", name,
                            std::error_code(errno, std::generic_category()).message()));
  }
  Context reader(spng_ctx_new(0), &spng_ctx_free);
  spng_ihdr header{};
  int error = spng_set_png_file(reader.get(), file.get());
  error = error != 0 ? error : spng_set_chunk_limits(reader.get(), most_chunk_bytes, most_chunk_bytes);
  error = error != 0 ? error : spng_set_option(reader.get(), SPNG_KEEP_UNKNOWN_CHUNKS, 1);
  error = error != 0 ? error : spng_get_ihdr(reader.get(), &header);
  if (error != 0) {
    return malformed(name, error);
  }
  spng_trns transparent{};
  const int has_none = spng_get_trns(reader.get(), &transparent);
  if (has_none != 0 && has_none != SPNG_ECHUNKAVAIL) {
    return malformed(name, has_none);
  }
  const Decoding decoding = decoding_of(header, has_none == 0);
  Picture picture{decoding.pixels, header.width, header.height};
  std::size_t bytes = 0;
  if (error = spng_decoded_image_size(reader.get(), decoding.format, &bytes); error != 0) {
    return malformed(name, error);
  }
  if (bytes > most_bytes) {
    return fail(ErrorCode::unsupported,
                fmt::format("{}: its {} × {} pixels take {} bytes, more than the {} that the device takes at once: cut "
                            "the image, or choose another device with --device",
                            name, header.width, header.height, bytes, most_bytes));
  }
  picture.pixels.resize(bytes);
  error = spng_decode_image(reader.get(), picture.pixels.data(), bytes, decoding.format, SPNG_DECODE_TRNS);
  error = error != 0 ? error : spng_decode_chunks(reader.get());
  if (error != 0) {
    return malformed(name, error);
  }
  return PngFile(std::move(reader), std::move(picture), decoding.is_grey);
}

Expected<void> PngFile::write(const std::vector<std::byte>& pixels, TemporaryFile& file) const {
  const spng_ihdr header = written_header(picture_, is_grey_);
  const bool drops_channels = header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA;
  const std::vector<std::byte> fewer =
      drops_channels ? grey_and_alpha(pixels, header.bit_depth / 8U) : std::vector<std::byte>();
  const std::vector<std::byte>& written = drops_channels ? fewer : pixels;
  PngLists lists;
  const Context writer(spng_ctx_new(SPNG_CTX_ENCODER), &spng_ctx_free);
  spng_ihdr own = header;  // libspng takes no const
  int error = spng_set_option(writer.get(), SPNG_ENCODE_TO_BUFFER, 1);
  error = error != 0 ? error : spng_set_ihdr(writer.get(), &own);
  error = error != 0 ? error : copy_png_metadata(*reader_, *writer, lists);
  error = error != 0
              ? error
              : spng_encode_image(writer.get(), written.data(), written.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
  std::size_t bytes = 0;
  const std::unique_ptr<void, void (*)(void*)> encoded(
      error == 0 ? spng_get_png_buffer(writer.get(), &bytes, &error) : nullptr, &std::free);
  if (error != 0) {
    return fail(ErrorCode::invalid_input, fmt::format("{}: the image cannot be written as PNG ({}): save the one that "
                                                      "was read again, which may leave out what it says wrongly",
                                                      file.output().text(), spng_strerror(error)));
  }
  errno = 0;
  std::ofstream stream(file.name(), std::ios::binary);
  stream.write(static_cast<const char*>(encoded.get()), static_cast<std::streamsize>(bytes));
  stream.close();
  if (!stream) {
    return cannot_write(file.output(), std::error_code(errno == 0 ? EIO : errno, std::generic_category()));
  }
  return {};
}

}  // namespace crosslane::cli
