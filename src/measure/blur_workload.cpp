// A Gaussian blur of an image of floats, as square as its number of pixels allows.
#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "crosslane/blur.hpp"
#include "measure/workload_parts.hpp"

namespace crosslane::measure {
namespace {

constexpr std::uint32_t radius = 4;  // the usual 9 × 9 pixels

struct Images : WorkArrays {
  std::int64_t width;
  std::int64_t height;

  // A pixel as the sum that it is defined as, in double precision; the last pixels go on beyond the borders.
  // With `size` of their values, what errors are measured by.
  struct Sum {
    double value = 0.0;
    double size = 0.0;
  };
  [[nodiscard]] Sum exact(std::uint64_t begin, std::int64_t x, std::int64_t y) const {
    const double sigma = default_blur_sigma(radius);
    constexpr auto reach = std::int64_t{radius};
    Sum sum;
    double weights = 0.0;
    for (std::int64_t dy = -reach; dy <= reach; ++dy) {
      for (std::int64_t dx = -reach; dx <= reach; ++dx) {
        const double weight = std::exp(-static_cast<double>(dx * dx + dy * dy) / (2 * sigma * sigma));
        const std::int64_t row = std::clamp<std::int64_t>(y + dy, 0, height - 1);
        const std::int64_t column = std::clamp<std::int64_t>(x + dx, 0, width - 1);
        const double value = hash_element<float>(begin + static_cast<std::uint64_t>(row * width + column));
        sum.value += weight * value;
        sum.size += weight * std::abs(value);
        weights += weight;
      }
    }
    return {sum.value / weights, sum.size / weights};
  }

  // Looks at the corners and at pixels all over the image.
  [[nodiscard]] Expected<std::string> fault(std::size_t set) const {
    return read_array<float>(device, output.at(set), count).map([&](const std::vector<float>& got) -> std::string {
      constexpr std::uint64_t looked_at = 256;
      for (std::uint64_t i = 0; i <= looked_at; ++i) {
        const std::uint64_t pixel = i * (count - 1) / looked_at;
        const auto x = static_cast<std::int64_t>(pixel) % width;
        const auto y = static_cast<std::int64_t>(pixel) / width;
        const Sum right = exact(first<float>(set), x, y);
        constexpr double promised = 1e-5;
        if (!(std::abs(static_cast<double>(got[pixel]) - right.value) <= promised * right.size)) {
          return fmt::format("pixel {}, {} is {}, {} is right", x, y, got[pixel], right.value);
        }
      }
      return "";
    });
  }
};

}  // namespace

Expected<Workload> make_blur_workload(Device& device, const WorkloadOptions& options) {
  if (options.type.value_or(ScalarType::f32) != ScalarType::f32) {
    return fail(ErrorCode::invalid_argument, fmt::format("blurs are measured of f32, not of {}", name(*options.type)));
  }
  const auto asked = count_for(device.info(), options);
  if (!asked) {
    return tl::unexpected(asked.error());
  }
  const std::uint64_t width = std::bit_floor(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(*asked))));
  const std::uint64_t height = *asked / width;
  const std::uint64_t count = width * height;
  const std::uint64_t bytes = count * sizeof(float);
  return make_work_arrays(device, options, ScalarType::f32, count, bytes, bytes).map([&](const WorkArrays& arrays) {
    const auto state =
        std::make_shared<Images>(Images{arrays, static_cast<std::int64_t>(width), static_cast<std::int64_t>(height)});
    Workload workload = workload_of("blur", arrays);
    workload.work = fmt::format("pixels of f32, radius {}", radius);
    workload.title = fmt::format("{} × {} {}", width, height, workload.work);
    constexpr double operations_of_a_pixel = 2 * 2 * (2 * radius + 1);
    workload.cost = {bytes,
                     bytes,
                     "4 n bytes read, 4 n written",
                     operations_of_a_pixel * static_cast<double>(count),
                     fmt::format("{} n, a multiplication and an addition for each weight of a row and a column",
                                 operations_of_a_pixel),
                     static_cast<double>(count)};
    workload.methods = {Method::groupshared, Method::shuffle};
    workload.make = [state](Method method) {
      BlurOptions own;
      own.radius = radius;
      own.method = method;
      own.wave_size = state->wave_size;
      return make_work<Blur>(
          state->device, own,
          [state](Blur& plan, CommandList& list, std::size_t set) {
            return plan.record(list, {state->input.at(set)}, {state->output.at(set)},
                               static_cast<std::uint64_t>(state->width), static_cast<std::uint64_t>(state->height));
          },
          [state](const Blur& /*plan*/, std::size_t set) { return state->fault(set); });
    };
    return workload;
  });
}

}  // namespace crosslane::measure
