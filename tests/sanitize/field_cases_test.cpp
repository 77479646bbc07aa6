// Shaders with faults that people really had, and their repaired twins (tests/cases/field): each fault is found, at the
// wave sizes where it is one and at its line; what is right is passed in silence.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "compile/bindings.hpp"
#include "crosslane/check.hpp"
#include "job/shader.hpp"
#include "spirv/reflection.hpp"
#include "support/expected.hpp"

namespace crosslane::sanitize_tests {
namespace {

using nlohmann::json;
using test::must;
using testing::ElementsAreArray;
using testing::IsEmpty;
using Sizes = std::vector<std::uint32_t>;

const std::filesystem::path folder = CROSSLANE_SOURCE_DIR "/tests/cases/field";
const Sizes all_sizes = {4, 8, 16, 32, 64, 128};

struct ExpectedFault {
  std::string id;
  Sizes sizes;
  std::string text;  ///< in the lines that the finding names; empty where it names none
};

// What the head of each faulty file says.
const std::map<std::string, std::vector<ExpectedFault>> faults = {
    {"01-blur-overwrite.comp", {{"groupshared-race", all_sizes, "tile[i] = left + 2u * mid + right;"}}},
    {"05-ballot-low-word.hlsl",
     {{"wave-size-dependent", {64, 128}, "o[0] = total;"},
      {"global-race", {64, 128}, "o[1 + start + countbits(below)] = i;"}}},
    {"09-floor-wave-count.comp", {{"wave-size-dependent", {8, 16, 32, 64, 128}, "o[0] = t;"}}},
    {"14-per-wave-trip-count.comp", {{"barrier-divergence", {4, 8, 16, 32}, "barrier();"}}},
    {"16-scratch-reuse.hlsl", {{"groupshared-race", all_sizes, "s[i] = v;"}}},
    {"20-mip-edge.comp", {{"buffer-out-of-bounds", all_sizes, "o[x] = (a[y0 * W + x0]"}}},
};

json read_cases() {
  std::ifstream file(folder / "cases.json");
  return json::parse(file);
}

Expected<const compile::Compiler*> find_compiler() {
  static const auto compiler = compile::load_compiler(CROSSLANE_DXC_LIBRARY);
  return compiler ? Expected<const compile::Compiler*>(compiler->get()) : tl::unexpected<Error>(compiler.error());
}

std::vector<std::byte> bytes_of(const std::vector<std::uint32_t>& words) {
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

CheckReport check_case(const json& the_case) {
  const auto file = the_case["file"].get<std::string>();
  job::ShaderSource source;
  source.file = folder / file;
  source.language = *job::language_of(source.file);
  const auto shader = must(job::load_shader(source, &find_compiler));
  const auto reflection = must(spirv::reflect(shader.words, shader.entry_point));
  CheckRequest request{.spirv = shader.words, .name = file, .groups = the_case["groups"].get<GroupCount>()};
  std::map<std::size_t, std::vector<std::byte>> expected;
  const bool varies = the_case["compare"] == "exact, differs by wave size";
  for (const auto& binding : reflection.bindings) {
    // Registers of HLSL have numbers of their own in these cases, whatever their kind.
    const auto number = std::to_string(shader.registers ? binding.slot % compile::registers_per_kind : binding.slot);
    if (!varies && the_case["expected"].contains(number)) {
      expected[request.resources.size()] = bytes_of(the_case["expected"][number].get<std::vector<std::uint32_t>>());
    }
    request.resources.push_back({.name = binding.name,
                                 .set = binding.set,
                                 .slot = binding.slot,
                                 .bytes = bytes_of(the_case["inputs"].at(number).get<std::vector<std::uint32_t>>()),
                                 .output = !binding.read_only,
                                 .may_vary = varies});
  }
  if (!expected.empty()) {
    request.results_hold = [expected](std::span<const std::vector<std::byte>> outputs) {
      return std::ranges::all_of(expected, [&](const auto& one) { return outputs[one.first] == one.second; });
    };
  }
  return must(check(request, {.rules = shader.registers ? Rules::d3d12 : Rules::vulkan}));
}

bool names_line(const Finding& finding, const std::string& text) {
  return text.empty() || std::ranges::any_of(finding.locations, [&](const FindingLocation& location) {
           return location.line != 0 && location.text.find(text) != std::string::npos;
         });
}

TEST(FieldCases, FaultsAreFoundAndNothingElse) {
  for (const auto& the_case : read_cases()) {
    const auto file = the_case["file"].get<std::string>();
    SCOPED_TRACE(file);
    const auto report = check_case(the_case);
    const auto found = faults.find(file);
    if (found == faults.end()) {
      EXPECT_THAT(report.findings, IsEmpty()) << describe(report);
      continue;
    }
    EXPECT_FALSE(report.clean());
    for (const auto& fault : found->second) {
      std::set<std::uint32_t> sizes;
      bool line = false;
      for (const auto& finding : report.findings) {
        if (finding.id == fault.id && finding.severity != Severity::note) {
          sizes.insert(finding.wave_sizes.begin(), finding.wave_sizes.end());
          line = line || names_line(finding, fault.text);
        }
      }
      EXPECT_THAT(sizes, ElementsAreArray(fault.sizes)) << fault.id << "\n" << describe(report);
      EXPECT_TRUE(line) << fault.id << "\n" << describe(report);
    }
  }
}

TEST(FieldCases, EveryFaultyFileIsExpected) {
  std::size_t faulty = 0;
  for (const auto& the_case : read_cases()) {
    faulty += the_case["kind"] == "bad" ? 1U : 0U;
    EXPECT_EQ(the_case["kind"] == "bad", faults.contains(the_case["file"].get<std::string>()));
  }
  EXPECT_EQ(faulty, faults.size());
}

}  // namespace
}  // namespace crosslane::sanitize_tests
