// Blurs square images with Crosslane's methods and with NPP, side by side: all on the same pixels, in the same process,
// taking turns sample by sample, each sample some repeats over images in rotation between two clock readings of the
// device. A count is one of pixels.
#include <algorithm>
#include <bit>
#include <cmath>

#include "crosslane/blur.hpp"

#include "blur_npp.hpp"
#include "comparison.hpp"

namespace {

using crosslane::BlurFormat;

/// Pixels that the host makes: larger images repeat them, whole rows of them.
constexpr std::uint64_t made_pixels = std::uint64_t{1} << 20U;

// Words that are f32 between 1 and 2, and four channels of 8 bits as well.
std::vector<std::uint32_t> make_pixels() {
  std::vector<std::uint32_t> pixels(made_pixels);
  for (std::uint64_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = crosslane::measure::hash_word(1, i) >> 9U | 0x3F800000U;
  }
  return pixels;
}

struct Work {
  std::string name;
  BlurFormat format;
  std::uint32_t radius;
};

const std::array<Work, 3> works = {{{"f32 radius 4", BlurFormat::f32, 4},
                                    {"rgba8 radius 4", BlurFormat::rgba8, 4},
                                    {"f32 radius 16", BlurFormat::f32, 16}}};

/// `sets` pairs of images, one plan per work and method.
struct OurBlur {
  OurBlur(crosslane::Device& device, const std::vector<std::uint32_t>& pixels, std::uint64_t side, int sets)
      : work(device, sets),
        inputs(peers::make_sets(device, side * side, sets, false)),
        outputs(peers::make_sets(device, side * side, sets, false)) {
    for (const auto& input : inputs) {
      peers::value_or_exit(crosslane::upload(device, *input, std::as_bytes(std::span(pixels))));
      auto list = peers::value_or_exit(device.create_command_list());
      for (std::uint64_t done = pixels.size() * 4; done < side * side * 4; done *= 2) {
        peers::value_or_exit(list->barrier());
        peers::value_or_exit(list->copy(*input, 0, *input, done, done));
      }
      peers::value_or_exit(crosslane::run(device, *list));
    }
    for (const Work& one : works) {
      for (const crosslane::Method method : {crosslane::Method::groupshared, crosslane::Method::shuffle}) {
        crosslane::BlurOptions options;
        options.format = one.format;
        options.radius = one.radius;
        options.method = method;
        options.premultiply = false;  // as NPP does it
        const auto plan =
            std::make_shared<crosslane::Blur>(peers::value_or_exit(crosslane::Blur::create(device, options)));
        work.add(fmt::format("{} {}", one.name, name(method)),
                 [this, plan, side](crosslane::CommandList& list, std::size_t set) {
                   return plan->record(list, {{inputs[set].get(), 0}}, {{outputs[set].get(), 0}}, side, side);
                 });
      }
    }
  }

  peers::OurWork work;
  std::vector<std::unique_ptr<crosslane::Buffer>> inputs;
  std::vector<std::unique_ptr<crosslane::Buffer>> outputs;
};

/// Some pixels' sums of weighted neighbours in double precision, borders among them.
void verify(const std::string& who, const Work& work, const std::vector<std::uint32_t>& results,
            const std::vector<std::uint32_t>& pixels, std::int64_t side) {
  const auto radius = static_cast<std::int64_t>(work.radius);
  const double sigma = crosslane::default_blur_sigma(work.radius);
  const auto value = [&](const std::vector<std::uint32_t>& image, std::int64_t x, std::int64_t y) {
    const auto i = static_cast<std::uint64_t>(std::clamp<std::int64_t>(y, 0, side - 1) * side +
                                              std::clamp<std::int64_t>(x, 0, side - 1));
    const std::uint32_t word = image[i % image.size()];
    return work.format == BlurFormat::f32 ? static_cast<double>(std::bit_cast<float>(word))
                                          : static_cast<double>(word >> 8U & 0xFFU);
  };
  for (std::int64_t i = 0; i < 64; ++i) {
    const std::int64_t x = i * 7919 * side / 64 % side;
    const std::int64_t y = i * 104729 * side / 61 % side;
    double sum = 0;
    double weights = 0;
    for (std::int64_t dy = -radius; dy <= radius; ++dy) {
      for (std::int64_t dx = -radius; dx <= radius; ++dx) {
        const double weight = std::exp(static_cast<double>(-(dx * dx + dy * dy)) / (2 * sigma * sigma));
        sum += weight * value(pixels, x + dx, y + dy);
        weights += weight;
      }
    }
    const double off = std::abs(value(results, x, y) - sum / weights);
    if (!(off <= (work.format == BlurFormat::f32 ? 1e-5 * sum / weights : 0.51))) {
      std::cerr << fmt::format("peers: {} gave {} for pixel {}, {}; {} is right\n", who, value(results, x, y), x, y,
                               sum / weights);
      std::exit(1);
    }
  }
}

nlohmann::json compare(crosslane::Device& device, std::uint64_t count, const peers::Options& options) {
  const auto side = std::uint64_t{1} << (static_cast<unsigned>(std::countr_zero(count)) / 2);
  const int repeats = peers::repeats_for(side * side, options);
  const auto pixels = make_pixels();
  OurBlur ours(device, pixels, side, options.sets);
  peers::NppBlur npp(pixels, static_cast<std::uint32_t>(side), options.sets, repeats);
  const auto times = peers::sample(options, [&](int round) {
    std::map<std::string, double> now = {
        {"copy", npp.time_copy()}, {"NPP f32 9x9", npp.time_f32()}, {"NPP rgba8 9x9", npp.time_rgba8()}};
    for (const std::string& name : ours.work.names()) {
      now[name] = ours.work.time(name, repeats);
      if (round == 0) {
        const auto& work =
            *std::ranges::find_if(works, [&](const Work& one) { return name.starts_with(one.name + ' '); });
        verify(name, work, peers::read<std::uint32_t>(device, *ours.outputs.back(), side * side), pixels,
               static_cast<std::int64_t>(side));
      }
    }
    return now;
  });
  return peers::tabulate(times, side * side, repeats, side * side * 8, "copy", "copy");
}

}  // namespace

int main(int argc, char** argv) {
  return peers::compare_all(argc, argv, "Crosslane's Gaussian blur and NPP's, side by side", compare,
                            [](crosslane::Device& /*device*/, const peers::Options& /*options*/) {});
}
