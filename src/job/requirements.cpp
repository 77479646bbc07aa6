#include "job/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>
#include <utility>

namespace crosslane::job {
namespace {

constexpr std::string_view wave_size_prefix = "WaveSize_";

std::optional<std::uint32_t> wave_size_of(std::string_view feature) {
  if (!feature.starts_with(wave_size_prefix)) {
    return std::nullopt;
  }
  const auto digits = feature.substr(wave_size_prefix.size());
  std::uint32_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(size) : std::nullopt;
}

// The suite's short names of vendors.
std::string_view vendor_feature(const DeviceInfo& device) {
  return device.vendor == "NVIDIA" ? "NV" : device.vendor == "Qualcomm" ? "QC" : std::string_view(device.vendor);
}

bool has_shader_model(std::string_view feature) {
  constexpr std::string_view prefix = "SM_6_";
  return feature.size() == prefix.size() + 1 && feature.starts_with(prefix) && feature.back() >= '0' &&
         feature.back() <= '8';
}

bool offers(const DeviceInfo& device, std::uint32_t wave_size) {
  const auto& sizes = device.wave_sizes;
  return wave_size == sizes.standard || (device.features.wave_size_control && wave_size >= sizes.minimum &&
                                         wave_size <= sizes.maximum && std::has_single_bit(wave_size));
}

// Every wave size that a condition of the file names.
std::set<std::uint32_t> named_wave_sizes(const TestFile& file) {
  std::set<std::uint32_t> sizes;
  const HasFeature note = [&](std::string_view feature) {
    if (const auto size = wave_size_of(feature)) {
      sizes.insert(*size);
    }
    return false;
  };
  for (const auto* const list : {&file.required(), &file.unsupported()}) {
    for (const auto& requirement : *list) {
      static_cast<void>(holds(requirement.condition, note));
    }
  }
  return sizes;
}

// The first of the conditions that holds, or that does not.
Expected<const Requirement*> first_that(bool wanted, const std::vector<Requirement>& list, const std::string& name,
                                        const HasFeature& has) {
  for (const auto& requirement : list) {
    const auto value = holds(requirement.condition, has);
    if (!value) {
      return fail(ErrorCode::invalid_input, fmt::format("{}:{}: {}", name, requirement.line, value.error().message));
    }
    if (*value == wanted) {
      return &requirement;
    }
  }
  return nullptr;
}

}  // namespace

HasFeature features_of(const DeviceInfo& device, std::uint32_t wave_size) {
  return [device, wave_size](std::string_view feature) {
    const auto& features = device.features;
    if (const auto size = wave_size_of(feature)) {
      return *size == wave_size;
    }
    return feature == "Vulkan" || feature == "DXC" || feature == "DXC-Vulkan" || has_shader_model(feature) ||
           (feature == "Int16" && features.int16 && features.storage16) ||
           (feature == "Half" && features.float16 && features.storage16) || (feature == "Double" && features.float64) ||
           (feature == "Int64" && features.int64) || feature == vendor_feature(device) ||
           (feature == "VK_KHR_shader_maximal_reconvergence" && features.maximal_reconvergence);
  };
}

Expected<Fitness> examine(const TestFile& file, const std::string& name, const DeviceInfo& device,
                          std::optional<std::uint32_t> wave_size) {
  std::vector<std::uint32_t> candidates = {wave_size.value_or(device.wave_sizes.standard)};
  if (!wave_size) {
    for (const auto size : named_wave_sizes(file)) {
      if (offers(device, size) && size != device.wave_sizes.standard) {
        candidates.push_back(size);
      }
    }
  }
  Fitness fitness;
  for (const auto candidate : candidates) {
    const auto has = features_of(device, candidate);
    const auto missing = first_that(false, file.required(), name, has);
    const auto refused = first_that(true, file.unsupported(), name, has);
    const auto failing = first_that(true, file.expected_failures(), name, has);
    for (const auto* const condition : {&missing, &refused, &failing}) {
      if (!*condition) {
        return tl::unexpected(condition->error());
      }
    }
    if (*missing == nullptr && *refused == nullptr) {
      fitness = {std::nullopt, candidate, std::nullopt};
      if (*failing != nullptr) {
        fitness.expected_failure = (*failing)->condition;
      }
      return fitness;
    }
    if (!fitness.skipped) {
      fitness.skipped = *missing != nullptr
                            ? fmt::format("it requires {}, which {} lacks", (*missing)->condition, device.id)
                            : fmt::format("it is not for {}", (*refused)->condition);
    }
  }
  return fitness;
}

}  // namespace crosslane::job
