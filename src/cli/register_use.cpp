#include "cli/register_use.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosslane::cli {
namespace {

std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return made;
}

double number(const vulkan::StatisticValue& value) {
  return std::visit([](auto whole) { return static_cast<double>(whole); }, value);
}

void add(std::optional<std::uint64_t>& place, const vulkan::StatisticValue& value) {
  place = place.value_or(0) + static_cast<std::uint64_t>(number(value));
}

// Registers of NVIDIA's multiprocessors since Volta: 65,536 of 32 bits, handed to waves in units of 256, for 64 waves.
double waves_of_nvidia(std::uint64_t registers, std::uint32_t wave_size) {
  constexpr std::uint64_t all = 65536;
  constexpr std::uint64_t unit = 256;
  constexpr std::uint64_t most = 64;
  const std::uint64_t of_a_wave = (std::max<std::uint64_t>(registers, 1) * wave_size + unit - 1) / unit * unit;
  return static_cast<double>(std::min(all / of_a_wave, most));
}

}  // namespace

RegisterUse register_use(std::string shader, const std::string& vendor, const vulkan::PipelineStatistics& statistics) {
  RegisterUse use;
  use.shader = std::move(shader);
  use.wave_size = statistics.wave_size;
  use.statistics = statistics.statistics;
  for (const vulkan::PipelineStatistic& statistic : statistics.statistics) {
    const std::string name = lower(statistic.name);
    const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    if (has("spill") || name == "local memory size" || name == "scratch size") {
      add(use.spilled, statistic.value);
    } else if (name == "vgprs" || name == "register count" || name == "registers") {
      add(use.registers, statistic.value);
    } else if (name == "lds size" || name == "shared memory size") {
      add(use.groupshared_bytes, statistic.value);
    } else if (has("subgroups per simd")) {
      use.waves_at_a_time = number(statistic.value);
      use.occupancy_note = "of a SIMD unit, as the driver says";
    }
  }
  if (!use.waves_at_a_time && use.registers && vendor == "NVIDIA" && use.wave_size != 0) {
    use.waves_at_a_time = waves_of_nvidia(*use.registers, use.wave_size);
    use.occupancy_note = "of a multiprocessor, by its 65536 registers alone";
  }
  return use;
}

measure::Evidence register_evidence(const std::vector<RegisterUse>& uses) {
  std::vector<std::string> found;
  std::optional<bool> passed;
  for (const RegisterUse& use : uses) {
    if (!use.registers && !use.spilled) {
      continue;
    }
    const bool spills = use.spilled.value_or(0) != 0;
    passed = passed.value_or(true) && !spills;
    found.push_back(fmt::format("{}: {} registers, {}", use.shader,
                                use.registers ? std::to_string(*use.registers) : std::string("unknown"),
                                spills ? fmt::format("{} spilled", *use.spilled) : std::string("none spilled")));
  }
  if (!passed) {
    return {std::nullopt, "the driver does not tell", {}, ""};
  }
  return {passed, fmt::format("{}", fmt::join(found, "; ")), {}, ""};
}

Expected<std::unique_ptr<Pipeline>> PipelineSpy::create_pipeline(const PipelineDescription& description) {
  made_.push_back({description, {description.spirv.begin(), description.spirv.end()}});
  return device_.create_pipeline(description);
}

Expected<std::vector<RegisterUse>> PipelineSpy::ask() const {
  std::vector<RegisterUse> uses;
  for (const Made& made : made_) {
    if (made.description.name.starts_with("measure.")) {
      continue;  // what makes test data
    }
    PipelineDescription description = made.description;
    description.spirv = made.words;
    const auto statistics = vulkan::pipeline_statistics(device_, description);
    if (!statistics) {
      return tl::unexpected(statistics.error());
    }
    uses.push_back(register_use(description.name, device_.info().vendor, *statistics));
  }
  return uses;
}

}  // namespace crosslane::cli
