#include "cli/measure_flags.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/flag_checks.hpp"
#include "cli/flag_effects.hpp"
#include "cli/loop_limit.hpp"

namespace crosslane::cli {
namespace {

constexpr std::uint64_t most_elements = std::uint64_t{1} << 32U;

std::optional<ScalarType> type_named(std::string_view text) {
  const auto* const found = std::ranges::find(all_scalar_types, text, [](ScalarType type) { return name(type); });
  return found == all_scalar_types.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && rest == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "4096" or "2^12"
std::optional<std::uint64_t> number_of_elements(std::string_view text) {
  constexpr std::string_view power = "2^";
  constexpr std::uint64_t most_bits = 32;
  const bool is_power = text.starts_with(power);
  auto value = whole_number(is_power ? text.substr(power.size()) : text);
  if (value && is_power) {
    value = *value <= most_bits ? std::optional(std::uint64_t{1} << *value) : std::nullopt;
  }
  return value && *value >= 1 && *value <= most_elements ? value : std::nullopt;
}

// Adds what one part between commas stands for. False where that is nothing.
bool add_sizes(std::string_view part, std::vector<std::uint64_t>& sizes) {
  constexpr std::string_view range = "..";
  constexpr std::uint64_t factor = 4;
  const std::size_t dots = part.find(range);
  const auto first = number_of_elements(part.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : number_of_elements(part.substr(dots + range.size()));
  if (!first || !last || *first > *last) {
    return false;
  }
  for (std::uint64_t size = *first; size < *last; size *= factor) {
    sizes.push_back(size);
  }
  sizes.push_back(*last);
  return true;
}

}  // namespace

Expected<std::vector<std::uint64_t>> parse_sizes(const std::string& text) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (!add_sizes(std::string_view(text).substr(begin, end - begin), sizes)) {
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("'{}' is no list of sizes: give numbers of elements up to 2^32, as 256,4096, or the first "
                      "and the last, as 2^8..2^24",
                      text));
    }
    begin = end + 1;
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

measure::WorkloadOptions MeasureFlags::workload(const measure::MeasuredAlgorithm& algorithm,
                                                std::optional<std::uint64_t> count) const {
  measure::WorkloadOptions options;
  options.count = count;
  options.hot = hot;
  options.points = points;
  if (const auto wanted = type_named(type); wanted && algorithm.takes(*wanted)) {
    options.type = wanted;
  }
  return options;
}

measure::RoundsOptions MeasureFlags::rounds() const {
  measure::RoundsOptions options;
  options.least_seconds = min_seconds;
  options.most_seconds = std::max(min_seconds, max_seconds);
  return options;
}

void add_measure_flags(CLI::App& parser, MeasureFlags& flags) {
  constexpr std::uint64_t least_points = 2;
  constexpr std::uint64_t most_points = 4096;
  std::vector<std::string> types;
  types.reserve(all_scalar_types.size());
  for (const ScalarType type : all_scalar_types) {
    types.emplace_back(name(type));
  }
  parser.add_option("--size", flags.size, "Elements; 2^24 on a GPU, 2^18 elsewhere if not given")
      ->check(CLI::Range(std::uint64_t{1}, most_elements));
  parser.add_option("--type", flags.type, "Type of the elements; u32, for fft and blur f32 if not given")
      ->check(CLI::IsMember(types));
  parser.add_option("--points", flags.points, "Points of each Fourier transform, 2 to 4096")
      ->check(CLI::Range(least_points, most_points))
      ->capture_default_str();
  parser.add_option("--device", flags.device, "auto, all, an id as vulkan:0, or a part of the device's name")
      ->capture_default_str();
  auto* const hot = parser.add_flag("--hot", flags.hot, "One set of arrays, which stays in the caches if it fits");
  parser
      .add_flag("--cold", flags.cold,
                "Sets of arrays in rotation, so that the caches hold nothing of them; so if not given")
      ->excludes(hot);
  parser.add_option("--min-time", flags.min_seconds, "Seconds to measure at least")
      ->check(CLI::Range(0.0, 3600.0))
      ->check(check_number);
  add_loop_limit(parser, flags.iterations);
  parser.add_option("--max-time", flags.max_seconds, "Seconds after which no further round begins")
      ->check(CLI::Range(0.0, 3600.0))
      ->check(check_number)
      ->capture_default_str();
}

void add_sizes_flag(CLI::App& parser, MeasureFlags& flags) {
  parser
      .add_option_function<std::string>(
          "--sizes", [&flags](const std::string& text) { flags.sizes = parse_sizes(text).value_or(flags.sizes); },
          "Sizes to measure at, as 256,4096, or from one to another by factors of 4, as 2^8..2^24")
      ->check([](const std::string& text) {
        const auto sizes = parse_sizes(text);
        return sizes ? std::string() : sizes.error().message;
      })
      ->excludes(parser.get_option("--size"));
}

Expected<void> check_times(const CLI::App& parser, const MeasureFlags& flags) {
  if (flags.min_seconds > flags.max_seconds && parser.get_option("--max-time")->count() != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--min-time {} is longer than --max-time {}: give one that is not", flags.min_seconds,
                            flags.max_seconds));
  }
  return {};
}

Expected<void> check_measure_flags(const CLI::App& parser, const MeasureFlags& flags, const std::string& what,
                                   const PairFlags& pair) {
  return check_times(parser, flags).and_then([&]() -> Expected<void> {
    if (pair.given()) {
      return check_effects(parser, {"--size", "--type", "--points"}, "beside --a and --b");
    }
    if (auto sensible = check_effects(parser, {"--define", "--include", "--profile"}, "without --a, --b and --job");
        !sensible) {
      return sensible;
    }
    return what == "fft" || what == "all" ? Expected<void>{} : check_effects(parser, {"--points"}, "beside " + what);
  });
}

Expected<std::string> type_note(const MeasureFlags& flags, const std::string& what,
                                const measure::MeasuredAlgorithm& algorithm) {
  const auto wanted = type_named(flags.type);
  if (!wanted || algorithm.takes(*wanted)) {
    return std::string();
  }
  if (what == "all") {
    return fmt::format("{} is measured of f32: it has no {}", algorithm.name, flags.type);
  }
  std::vector<std::string_view> types;
  for (const ScalarType type : all_scalar_types) {
    if (algorithm.takes(type)) {
      types.push_back(name(type));
    }
  }
  return fail(ErrorCode::invalid_argument, fmt::format("--type {}: {} has no such type: take {}", flags.type,
                                                       algorithm.name, fmt::join(types, " or ")));
}

}  // namespace crosslane::cli
