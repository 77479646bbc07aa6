// PNG files: their pixels as formats that are blurred, and what else they say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/temporary_file.hpp"
#include "crosslane/blur.hpp"
#include "crosslane/error.hpp"

struct spng_ctx;

namespace crosslane::cli {

/// Pixels, row after row without gaps.
struct Picture {
  BlurFormat format = BlurFormat::r8;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::vector<std::byte> pixels = {};
};

/// A PNG file that was read: every colour type, 1 to 16 bits, interlaced or not.
class PngFile {
 public:
  /// Reads all of a file. Greys of up to 8 bits become r8, palettes rgb8 or rgba8; grey with alpha, and all with a
  /// transparent colour, rgba8 or rgba16. Errors: `invalid_input` for what is no complete PNG file, `unsupported` for
  /// one of more than `most_bytes` bytes of pixels.
  static Expected<PngFile> read(const std::filesystem::path& path, std::uint64_t most_bytes);

  [[nodiscard]] const Picture& picture() const { return picture_; }

  /// Whether it is grey: red, green and blue are the same then, and are written as one.
  [[nodiscard]] bool is_grey() const { return is_grey_; }

  /// Writes `pixels`, as many as there were and of the same format, to `file`, with what the file that was read says
  /// beside its pixels, as copy_png_metadata has it; not interlaced. Errors: `invalid_argument` where the file cannot
  /// be written, `invalid_input` where what was read cannot be written again.
  Expected<void> write(const std::vector<std::byte>& pixels, TemporaryFile& file) const;

 private:
  using Context = std::unique_ptr<spng_ctx, void (*)(spng_ctx*)>;
  PngFile(Context reader, Picture picture, bool is_grey)
      : reader_(std::move(reader)), picture_(std::move(picture)), is_grey_(is_grey) {}

  Context reader_;  // owns texts and profiles
  Picture picture_;
  bool is_grey_ = false;
};

}  // namespace crosslane::cli
