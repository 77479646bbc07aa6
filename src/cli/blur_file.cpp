#include "cli/blur_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/row_pitch.hpp"
#include "base/rounding.hpp"
#include "cli/array_transfer.hpp"
#include "cli/input_file.hpp"
#include "cli/keep_in.hpp"
#include "cli/npy_write.hpp"
#include "cli/result_comparison.hpp"

namespace crosslane::cli {
namespace {

constexpr FileKind image_files = {"images", "a .png or an .npy file"};

using BlurRuns = MethodRuns<PassesOutcome>;

struct Buffers {
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> results;  ///< of the first method, which are written
  std::unique_ptr<Buffer> others;   ///< of each further one, which are only compared; null where there is none
};

struct FormatOfArray {
  NpyChannel channel;
  std::uint64_t channels;
  BlurFormat format;
};

constexpr std::array formats_of_arrays = {
    FormatOfArray{NpyChannel::f32, 1, BlurFormat::f32},   FormatOfArray{NpyChannel::f32, 4, BlurFormat::f32x4},
    FormatOfArray{NpyChannel::f16, 1, BlurFormat::f16},   FormatOfArray{NpyChannel::u8, 1, BlurFormat::r8},
    FormatOfArray{NpyChannel::u8, 3, BlurFormat::rgb8},   FormatOfArray{NpyChannel::u8, 4, BlurFormat::rgba8},
    FormatOfArray{NpyChannel::u16, 1, BlurFormat::r16},   FormatOfArray{NpyChannel::u16, 3, BlurFormat::rgb16},
    FormatOfArray{NpyChannel::u16, 4, BlurFormat::rgba16}};

// Blurs from `input` to `output`: once for the results, then for the time.
Expected<PassesOutcome> blur_on(Device& device, const BlurOptions& options, const Picture& picture, Buffer& input,
                                Buffer& output) {
  auto plan = Blur::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  PassesOutcome outcome{outcome_of<MethodOutcome>(options.method, *plan),
                        plan->passes() == 1 ? Passes::one : Passes::several};
  const auto record = [&](CommandList& list) {
    return plan->record(list, {{&input, 0}}, {{&output, 0}}, picture.width, picture.height).and_then([&] {
      return list.barrier();
    });
  };
  return run_and_time(device, record).map([&](std::optional<double> median) {
    outcome.gpu_time_ms = median;
    return std::move(outcome);
  });
}

Expected<BlurRuns> blur_by_methods(Device& device, const Picture& picture, BlurOptions options,
                                   const std::vector<Method>& methods, const Buffers& buffers, const Console& console) {
  const auto run = [&](Method method, bool first) {
    options.method = method;
    return blur_on(device, options, picture, *buffers.input, first ? *buffers.results : *buffers.others);
  };
  const auto agree = [&](const PassesOutcome&, const PassesOutcome&) -> Expected<bool> {
    const bool are_floats = options.format <= BlurFormat::f16;
    const std::uint64_t bytes = buffers.input->bytes();
    if (are_floats && options.format != BlurFormat::f16) {
      constexpr double both_bounds = 2e-5;
      return transforms_agree(device, *buffers.results, *buffers.others, TransformParts::f32, bytes / sizeof(float),
                              both_bounds, console);
    }
    const bool of_bytes = options.format >= BlurFormat::r8 && options.format <= BlurFormat::rgba8;
    return steps_agree(device, *buffers.results, *buffers.others, of_bytes ? 8 : 16, are_floats, bytes, console);
  };
  return run_methods<PassesOutcome>(methods, run, agree);
}

Expected<void> write_image(const ImageFile& image, const std::vector<std::byte>& pixels,
                           const std::filesystem::path& output) {
  if (const auto* const png = std::get_if<PngFile>(&image.file)) {
    return TemporaryFile::create(output, png_files).and_then([&](TemporaryFile file) {
      return png->write(pixels, file).and_then([&] { return file.commit(); });
    });
  }
  const NpyHeader& header = std::get<NpyFile>(image.file).header();
  return PendingNpy::write(output, descr_of(*header.channel), header.shape, pixels).and_then([](PendingNpy file) {
    return file.commit();
  });
}

Expected<ImageFile> read_array_image(const std::filesystem::path& path, std::uint64_t most_bytes) {
  auto file = NpyFile::open(path, NpyElements::pixels);
  if (!file) {
    return tl::unexpected(std::move(file.error()));
  }
  Picture picture;
  return check_rows(*file, "blur")
      .and_then([&] { return format_of(*file); })
      .map(keep_in(picture.format))
      .and_then([&]() -> Expected<void> {
        const NpyHeader& header = file->header();
        if (header.data_bytes() > most_bytes) {
          return fail(ErrorCode::unsupported,
                      fmt::format("{}: its {} bytes are more than the {} that the device takes at once: cut the image, "
                                  "or choose another device with --device",
                                  file->name(), header.data_bytes(), most_bytes));
        }
        picture.height = header.shape[0];
        picture.width = header.shape[1];
        picture.pixels.resize(header.data_bytes());
        return file->read(picture.pixels);
      })
      .map([&] {
        return ImageFile{*std::move(file), std::move(picture)};
      });
}

}  // namespace

Expected<ImageKind> image_kind(const std::filesystem::path& path) {
  if (auto regular = check_input(path, image_files); !regular) {
    return tl::unexpected(std::move(regular.error()));
  }
  constexpr std::string_view png_begin = "\x89PNG";
  constexpr std::string_view npy_begin = "\x93NUM";
  std::string begin(png_begin.size(), '\0');
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: cannot be opened ({}): give yourself the permission to read it", path.string(),
                            std::error_code(errno, std::generic_category()).message()));
  }
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (stream.gcount() == 0) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: the file is empty: save the image again, as PNG or .npy", path.string()));
  }
  if (begin == png_begin) {
    return ImageKind::png;
  }
  if (begin == npy_begin) {
    return ImageKind::npy;
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("{}: this is neither a PNG nor an .npy file: save the image as one of them", path.string()));
}

Expected<BlurFormat> format_of(const NpyFile& file) {
  const NpyHeader& header = file.header();
  if (header.shape.size() != 2 && header.shape.size() != 3) {
    return fail(ErrorCode::unsupported,
                fmt::format("{}: an array of shape ({}) is no image: save one of height × width, or height × width × "
                            "channels",
                            file.name(), fmt::join(header.shape, ", ")));
  }
  if (header.count == 0) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: the image of shape ({}) has no pixels: save one with at least one", file.name(),
                            fmt::join(header.shape, ", ")));
  }
  const std::uint64_t channels = header.shape.size() == 2 ? 1 : header.shape[2];
  for (const FormatOfArray& one : formats_of_arrays) {
    if (one.channel == *header.channel && one.channels == channels) {
      return one.format;
    }
  }
  return fail(
      ErrorCode::unsupported,
      fmt::format("{}: images of {} channels of {} are not supported, only 1 of any type, 3 of integers and 4 of "
                  "integers or float32: save channels one by one, np.save(file, a[..., 0].copy())",
                  file.name(), channels, name(*header.channel)));
}

const Picture& ImageFile::picture() const {
  const auto* const png = std::get_if<PngFile>(&file);
  return png != nullptr ? png->picture() : of_array;
}

Expected<ImageFile> read_image(const std::filesystem::path& path, std::uint64_t most_bytes) {
  return image_kind(path).and_then([&](ImageKind kind) {
    return kind == ImageKind::png
               ? PngFile::read(path, most_bytes).map([](PngFile file) { return ImageFile{std::move(file)}; })
               : read_array_image(path, most_bytes);
  });
}

Expected<BlurRuns> blur_file(Device& device, const ImageFile& image, BlurOptions options,
                             const std::vector<Method>& methods, const std::filesystem::path& output,
                             const Console& console) {
  const Picture& picture = image.picture();
  const std::uint64_t row = blur_row_bytes(picture.format, picture.width);
  const std::uint64_t pitch = round_up(row, 4);
  std::vector<std::byte> rows = with_pitch(picture.pixels, row, row, pitch);
  Buffers buffers;
  BlurRuns runs;
  // The same in all: a blur leaves what lies between rows, and methods are compared with it.
  const auto make_room = [&] {
    return device.create_buffer({.bytes = rows.size()}).and_then([&](std::unique_ptr<Buffer> buffer) {
      return upload(device, *buffer, rows).map([&] { return std::move(buffer); });
    });
  };
  return make_room()
      .map(keep_in(buffers.input))
      .and_then(make_room)
      .map(keep_in(buffers.results))
      .and_then([&] { return methods.size() > 1 ? make_room() : Expected<std::unique_ptr<Buffer>>{}; })
      .map(keep_in(buffers.others))
      .and_then([&] { return blur_by_methods(device, picture, options, methods, buffers, console); })
      .map(keep_in(runs))
      .and_then([&] { return download(device, *buffers.results, rows); })
      .and_then(
          [&] { return runs.agree ? write_image(image, with_pitch(rows, row, pitch, row), output) : Expected<void>{}; })
      .map([&] { return std::move(runs); });
}

}  // namespace crosslane::cli
