#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "algorithms/blur_plan.hpp"
#include "algorithms/range.hpp"
#include "cli/array_flags.hpp"
#include "cli/blur_file.hpp"
#include "cli/console.hpp"
#include "cli/decision_store.hpp"
#include "cli/flag_checks.hpp"
#include "cli/method_output.hpp"
#include "cli/method_run.hpp"
#include "cli/output_file.hpp"
#include "cli/verb.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"

namespace crosslane::cli {
namespace {

struct BlurFlags : ArrayFlags {
  std::int64_t radius = BlurOptions{}.radius;
  std::optional<double> sigma;
  std::string border = std::string(name(BlurBorder::clamp));
  std::vector<double> border_value;
  bool linear = false;
  bool straight_alpha = false;
};

using BlurRuns = MethodRuns<PassesOutcome>;

constexpr double largest_f16 = 65504.0;

std::vector<std::string> border_names() {
  std::vector<std::string> names;
  names.reserve(all_blur_borders.size());
  for (const BlurBorder border : all_blur_borders) {
    names.emplace_back(name(border));
  }
  return names;
}

// Where outputs are named after their kind, as other programs know it by.
Expected<void> check_names(const BlurFlags& flags) {
  return image_kind(flags.file).and_then([&](ImageKind kind) -> Expected<void> {
    const bool is_png = kind == ImageKind::png;
    if (auto possible = check_output(flags.output, flags.force, is_png ? png_files : npy_files); !possible) {
      return possible;
    }
    const std::string extension = is_png ? ".png" : ".npy";
    std::string given = std::filesystem::path(flags.output).extension().string();
    std::ranges::transform(given, given.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (given != extension) {
      return fail(ErrorCode::invalid_argument, fmt::format("{}: what is written is of the kind of {}: name a {} file",
                                                           flags.output, flags.file, extension));
    }
    return {};
  });
}

Expected<BlurOptions> options_of(const BlurFlags& flags) {
  BlurOptions options;
  if (flags.radius < 1 || flags.radius > CROSSLANE_BLUR_RADIUS) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--radius {}: a blur's radius is from 1 to {} pixels: give one of them", flags.radius,
                            CROSSLANE_BLUR_RADIUS));
  }
  if (flags.sigma && !(std::isfinite(*flags.sigma) && *flags.sigma > 0)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--sigma {}: a blur's sigma is a number of pixels greater than 0: give one, or leave it "
                            "out for {}",
                            *flags.sigma, default_blur_sigma(static_cast<std::uint32_t>(flags.radius))));
  }
  options.radius = static_cast<std::uint32_t>(flags.radius);
  options.sigma = flags.sigma;
  options.border = *std::ranges::find(all_blur_borders, flags.border, [](BlurBorder border) { return name(border); });
  if (!flags.border_value.empty() && options.border != BlurBorder::constant) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--border-value: a border of kind {} has none: add --border constant", flags.border));
  }
  options.premultiply = !flags.straight_alpha;
  options.linear_light = flags.linear;
  options.wave_size = flags.algorithm.wave_size;
  return options;
}

// The colour beyond the border, for an image of that format: one number, or one for each channel.
Expected<void> take_border_value(const BlurFlags& flags, BlurOptions& options) {
  const BlurShape shape = shape_of(options.format);
  const std::size_t given = flags.border_value.size();
  if (given > 1 && given != shape.channels) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--border-value: {} numbers, and a pixel of {} has {} channel{}: give one number, or one "
                            "for each channel",
                            given, name(options.format), shape.channels, shape.channels == 1 ? "" : "s"));
  }
  const double largest = shape.unorm        ? static_cast<double>((std::uint64_t{1} << shape.bits) - 1)
                         : shape.bits == 16 ? largest_f16
                                            : static_cast<double>(std::numeric_limits<float>::max());
  for (std::size_t channel = 0; channel < shape.channels && given != 0; ++channel) {
    const double value = flags.border_value[std::min(channel, given - 1)];
    if (!(value >= (shape.unorm ? 0.0 : -largest) && value <= largest)) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--border-value {}: channels of {} go from {} to {}: give a number of them", value,
                              name(options.format), shape.unorm ? 0.0 : -largest, largest));
    }
    options.border_value.at(channel) = static_cast<float>(value);
  }
  return {};
}

// Only integers have an alpha that colours are weighted by.
bool is_premultiplied(const BlurOptions& options) {
  const BlurShape shape = shape_of(options.format);
  return options.premultiply && shape.unorm && shape.channels == 4;
}

/// What one run reads and writes.
std::uint64_t bytes_moved(const Picture& picture) {
  return 2 * blur_row_bytes(picture.format, picture.width) * picture.height;
}

double sigma_of(const BlurOptions& options) { return options.sigma.value_or(default_blur_sigma(options.radius)); }

void print_text(const Console& console, const BlurFlags& flags, const Picture& picture, const BlurOptions& options,
                const DeviceInfo& device, const BlurRuns& runs) {
  console.out << fmt::format("{} × {} {} pixels, radius {}, sigma {}, from {} to {}\n", picture.width, picture.height,
                             name(picture.format), options.radius, sigma_of(options), report::printable(flags.file),
                             report::printable(flags.output))
              << device_text(flags.algorithm, device) << "\n\n"
              << passes_text(runs, bytes_moved(picture)) << output_text(flags, runs.agree);
}

void print_json(const Console& console, const BlurFlags& flags, const Picture& picture, const BlurOptions& options,
                const DeviceInfo& device, const BlurRuns& runs) {
  report::Json json = report::document();
  json["file"] = flags.file;
  json["output"] = runs.agree ? report::Json(flags.output) : report::Json();
  json["format"] = name(picture.format);
  json["width"] = report::exact(picture.width);
  json["height"] = report::exact(picture.height);
  json["radius"] = options.radius;
  json["sigma"] = report::exact(sigma_of(options));
  json["border"] = flags.border;
  json["linear"] = options.linear_light;
  json["premultiply"] = is_premultiplied(options);
  add_device(json, flags.algorithm, device);
  add_passes(json, runs);
  console.out << report::dump(json);
}

ExitCode run_blur(const BlurFlags& flags, const Console& console) {
  if (const auto named = check_names(flags); !named) {
    return report_error(console, named.error());
  }
  Expected<BlurOptions> options = options_of(flags);
  if (!options) {
    return report_error(console, options.error());
  }
  const Expected<std::unique_ptr<Device>> device = open_device(flags.algorithm, console);
  if (!device) {
    return report_error(console, device.error());
  }
  const DeviceLimits& limits = (*device)->info().limits;
  const Expected<ImageFile> image =
      read_image(flags.file, std::min(limits.buffer_bytes, binding_capacity(limits) - binding_step(limits)));
  if (!image) {
    return report_error(console, image.error());
  }
  const Picture& picture = image->picture();
  options->format = picture.format;
  if (const auto bordered = take_border_value(flags, *options); !bordered) {
    return report_error(console, bordered.error());
  }
  const Advice advice(console, flags.algorithm.methods(), (*device)->info(), "blur");
  options->decisions = advice.source();
  auto runs = blur_file(**device, *image, *options, flags.algorithm.methods(), flags.output, console);
  if (!runs) {
    return report_error(console, runs.error());
  }
  add_advice(*runs, advice);
  (console.json ? print_json : print_text)(console, flags, picture, *options, (*device)->info(), *runs);
  return runs->agree ? ExitCode::well : ExitCode::mismatch;
}

}  // namespace

Verb add_blur(CLI::App& program) {
  CLI::App* const parser = program.add_subcommand("blur", "Gaussian blur of an image");
  const auto flags = std::make_shared<BlurFlags>();
  add_array_files(
      *parser, *flags, "File for the blurred image, of the same kind",
      "PNG image, or NumPy array (.npy) of height × width (× channels) of uint8, uint16, float16 or float32");
  parser->add_option("--radius", flags->radius, "Pixels that count on each side, 1 to 32")
      ->check(check_given)
      ->capture_default_str();
  parser
      ->add_option("--sigma", flags->sigma,
                   "The Gaussian's standard deviation in pixels; 0.3 (radius - 1) + 0.8 if not given")
      ->check(check_given);
  parser->add_option("--border", flags->border, "What lies beyond the image; SciPy's modes, clamp is its nearest")
      ->check(CLI::IsMember(border_names()))
      ->capture_default_str();
  parser
      ->add_option("--border-value", flags->border_value,
                   "Beyond a constant border: a number, or one per channel, as 255,255,255,0; 0 if not given")
      ->delimiter(',')
      ->allow_extra_args(false)  // what follows is no number
      ->check(check_given);
  parser->add_flag("--linear", flags->linear, "Colours are sRGB: blur light in place of their numbers")
      ->disable_flag_override();
  parser->add_flag("--straight-alpha", flags->straight_alpha, "Blur colours without regard to how opaque they are")
      ->disable_flag_override();
  add_array_options(*parser, *flags);
  parser->footer("Example:\n  crosslane blur photo.png -o soft.png --radius 8 --linear");
  return {parser, [flags](const Console& console) { return run_blur(*flags, console); }};
}

}  // namespace crosslane::cli
