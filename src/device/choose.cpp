#include "device/choose.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosslane {
namespace {

constexpr std::string_view machine_back_end = "machine";
constexpr std::array<std::string_view, 3> back_ends = {"vulkan", "d3d12", machine_back_end};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (auto& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return lower;
}

constexpr std::string_view machine_prefix = "machine:";

std::string describe(const DeviceInfo& info) { return fmt::format("{} ({})", info.id, info.name); }

// The part before the colon where it names a back end, else nothing.
std::string_view back_end_of(std::string_view wanted) {
  const auto prefix = wanted.substr(0, wanted.find(':'));
  return prefix.size() < wanted.size() && std::ranges::find(back_ends, prefix) != back_ends.end() ? prefix
                                                                                                  : std::string_view();
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
}

}  // namespace

std::optional<std::uint32_t> wave_size_in(std::string_view wanted) {
  if (lower_case(wanted.substr(0, machine_prefix.size())) != machine_prefix) {
    return std::nullopt;
  }
  wanted.remove_prefix(machine_prefix.size());
  std::uint32_t lanes = 0;
  const auto parsed = std::from_chars(wanted.data(), wanted.data() + wanted.size(), lanes);
  return parsed.ec == std::errc() && parsed.ptr == wanted.data() + wanted.size() ? std::optional(lanes) : std::nullopt;
}

void DeviceList::add(const std::vector<DeviceInfo>& devices, Open open) {
  for (std::size_t index = 0; index < devices.size(); ++index) {
    devices_.push_back(devices[index]);
    places_.push_back({backends_.size(), index});
  }
  backends_.push_back(std::move(open));
}

void DeviceList::add_failure(const Error& why) { failures_.push_back(why); }

std::string DeviceList::listing() const {
  std::vector<std::string> all;
  std::ranges::transform(devices_, std::back_inserter(all), describe);
  return fmt::format("{}", fmt::join(all, ", "));
}

Expected<std::size_t> DeviceList::choose(std::string_view wanted, const Accept& accept) const {
  if (devices_.empty()) {
    return fail(ErrorCode::device,
                "No device was found; install your GPU's Vulkan driver, or a software driver (Debian: apt install "
                "mesa-vulkan-drivers).",
                why_not_more());
  }
  return wanted == "auto" ? choose_automatically(accept) : choose_by_name(wanted);
}

Expected<std::size_t> DeviceList::choose_automatically(const Accept& accept) const {
  for (const auto kind : {DeviceKind::gpu, DeviceKind::machine, DeviceKind::software}) {
    for (std::size_t index = 0; index < devices_.size(); ++index) {
      if (devices_[index].kind == kind && (!accept || accept(devices_[index]))) {
        return index;
      }
    }
  }
  return fail(ErrorCode::device,
              fmt::format("None of the devices is fit to be chosen automatically: {}; name one to use it all the same.",
                          listing()));
}

std::vector<std::string> DeviceList::why_not_more() const {
  std::vector<std::string> reasons;
  for (const auto& failure : failures_) {
    reasons.push_back(failure.message);
    reasons.insert(reasons.end(), failure.reasons.begin(), failure.reasons.end());
  }
  return reasons;
}

Expected<std::size_t> DeviceList::choose_by_name(std::string_view wanted) const {
  const bool sized = wave_size_in(wanted).has_value();
  const auto same_id =
      std::ranges::find(devices_, sized ? std::string(machine_back_end) : lower_case(wanted), &DeviceInfo::id);
  if (same_id != devices_.end()) {
    return static_cast<std::size_t>(same_id - devices_.begin());
  }
  const auto name = lower_case(wanted);
  if (const auto back_end = back_end_of(name); !back_end.empty()) {
    const auto number = std::string_view(name).substr(back_end.size() + 1);
    if (back_end == machine_back_end) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format(R"("{}" is no device: after "{}" comes the number of lanes in a wave, as in {}32.)",
                              wanted, machine_prefix, machine_prefix));
    }
    return fail(ErrorCode::invalid_argument,
                is_number(number) ? fmt::format("There is no device \"{}\"; there is {}.", wanted, listing())
                                  : fmt::format(R"("{}" is no device: after "{}:" comes a number; there is {}.)",
                                                wanted, back_end, listing()),
                why_not_more());
  }
  std::vector<std::size_t> matches;
  std::vector<std::string> descriptions;
  for (std::size_t index = 0; index < devices_.size(); ++index) {
    if (!name.empty() && lower_case(devices_[index].name).find(name) != std::string::npos) {
      matches.push_back(index);
      descriptions.push_back(describe(devices_[index]));
    }
  }
  if (matches.size() == 1) {
    return matches.front();
  }
  return fail(ErrorCode::invalid_argument,
              matches.empty()
                  ? fmt::format("No device is called \"{}\"; there is {}.", wanted, listing())
                  : fmt::format("\"{}\" means several devices: {}; use an id.", wanted, fmt::join(descriptions, ", ")),
              matches.empty() ? why_not_more() : std::vector<std::string>());
}

Expected<std::unique_ptr<Device>> DeviceList::open(std::size_t index, std::optional<std::uint32_t> wave_size) const {
  if (index >= places_.size()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("There is no device at place {} of a list of {}.", index, places_.size()));
  }
  const auto& place = places_[index];
  return backends_[place.backend](place.index, wave_size);
}

}  // namespace crosslane
