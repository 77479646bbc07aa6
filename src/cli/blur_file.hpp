// The work behind `crosslane blur`: an image, a PNG file or an array, goes to a device, is blurred, and becomes a file
// of its kind again.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "cli/console.hpp"
#include "cli/method_run.hpp"
#include "cli/npy.hpp"
#include "cli/png.hpp"
#include "crosslane/blur.hpp"
#include "crosslane/device.hpp"
#include "crosslane/error.hpp"

namespace crosslane::cli {

/// What kind of file an image is in, found by how the file begins.
enum class ImageKind : std::uint8_t { png, npy };

/// Errors: `invalid_input`, naming the file, for what is no readable file of either kind.
Expected<ImageKind> image_kind(const std::filesystem::path& path);

/// The format of an array of height × width, or height × width × channels. Errors: `unsupported`, naming the file, for
/// other shapes and what is no format; `invalid_input` for an image without pixels.
Expected<BlurFormat> format_of(const NpyFile& file);

/// An image that was read, and its file.
struct ImageFile {
  std::variant<PngFile, NpyFile> file;
  Picture of_array = {};  ///< of an .npy file

  [[nodiscard]] const Picture& picture() const;
};

/// Reads an image of at most `most_bytes` bytes. Errors: those of image_kind, PngFile::read, NpyFile and format_of.
Expected<ImageFile> read_image(const std::filesystem::path& path, std::uint64_t most_bytes);

/// Blurs by each method, compares what they gave, and writes an image to `output`, which is replaced if it is there.
/// Where methods disagree nothing is written. `options.format` is the picture's. Errors: those of Blur, of the device
/// and of writing.
Expected<MethodRuns<PassesOutcome>> blur_file(Device& device, const ImageFile& image, BlurOptions options,
                                              const std::vector<Method>& methods, const std::filesystem::path& output,
                                              const Console& console);

}  // namespace crosslane::cli
