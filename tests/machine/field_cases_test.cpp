// Shaders with faults that people really had, and their repaired twins (tests/cases/field): where the twin is right,
// and wherever the fault does not show, the machine gives the right numbers.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "compile/bindings.hpp"
#include "crosslane/device.hpp"
#include "device/machine/device.hpp"
#include "job/shader.hpp"
#include "spirv/reflection.hpp"
#include "support/expected.hpp"

namespace crosslane::machine_tests {
namespace {

using nlohmann::json;
using test::must;
using Words = std::vector<std::uint32_t>;

const std::filesystem::path folder = CROSSLANE_SOURCE_DIR "/tests/cases/field";

json read_cases() {
  std::ifstream file(folder / "cases.json");
  return json::parse(file);
}

Expected<const compile::Compiler*> find_compiler() {
  static const auto compiler = compile::load_compiler(CROSSLANE_DXC_LIBRARY);
  return compiler ? Expected<const compile::Compiler*>(compiler->get()) : tl::unexpected<Error>(compiler.error());
}

// The arrays after the dispatch, by the case's number of their binding.
std::map<std::uint32_t, Words> run_case(const json& the_case, const job::Shader& shader, std::uint32_t wave_size) {
  const auto device = must(machine::create_device(wave_size));
  const auto pipeline = must(device->create_pipeline({.spirv = shader.words, .name = shader.name}));
  const auto reflection = must(spirv::reflect(shader.words, shader.entry_point));
  std::map<std::uint32_t, Words> arrays;
  std::map<std::uint32_t, std::unique_ptr<Buffer>> buffers;
  std::vector<Binding> bindings;
  for (const auto& binding : reflection.bindings) {
    // Registers of HLSL have numbers of their own in these cases, whatever their kind.
    const auto number = shader.registers ? binding.slot % compile::registers_per_kind : binding.slot;
    auto& words = arrays[number];
    the_case["inputs"].at(std::to_string(number)).get_to(words);
    const auto bytes = std::as_bytes(std::span(words));
    buffers[number] = must(device->create_buffer({.bytes = bytes.size()}));
    must(upload(*device, *buffers[number], bytes));
    bindings.push_back({.slot = binding.slot, .buffer = buffers[number].get(), .set = binding.set});
  }
  const auto list = must(device->create_command_list());
  must(list->dispatch(*pipeline, bindings, {}, the_case["groups"].get<GroupCount>()));
  must(run(*device, *list));
  for (auto& [number, words] : arrays) {
    must(download(*device, *buffers[number], std::as_writable_bytes(std::span(words))));
  }
  return arrays;
}

// The right words of a binding. Where they differ by wave size on purpose, those of sizes that are not listed follow
// from the case's own rule: the live lanes of each thread's wave.
Words right_words(const json& expected, std::uint32_t wave_size) {
  if (expected.is_array()) {
    return expected.get<Words>();
  }
  if (const auto size = std::to_string(wave_size); expected.contains(size)) {
    return expected.at(size).get<Words>();
  }
  const auto threads = static_cast<std::uint32_t>(expected.begin()->size());
  Words words;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    words.push_back(std::min(wave_size, threads - wave_size * (thread / wave_size)));
  }
  return words;
}

// Scratch of these has room for the waves of a group as long as waves have 4 lanes.
bool fits_small_waves(const std::string& file) { return !file.starts_with("05-") && !file.starts_with("09-"); }

std::vector<std::uint32_t> right_sizes(const json& the_case) {
  std::vector<std::uint32_t> sizes;
  for (const auto& [size, state] : the_case["summary"].items()) {
    if (state == "ok") {
      sizes.push_back(static_cast<std::uint32_t>(std::stoul(size)));
    }
  }
  if (the_case["kind"] != "bad" && fits_small_waves(the_case["file"])) {
    sizes.insert(sizes.end(), {1, 2});
  }
  return sizes;
}

class FieldCase : public testing::TestWithParam<json> {};

TEST_P(FieldCase, GivesTheRightNumbers) {
  const auto& the_case = GetParam();
  const auto file = folder / the_case["file"].get<std::string>();
  const auto shader = must(job::load_shader({.file = file, .language = job::language_of(file).value()}, find_compiler));
  const auto sizes = right_sizes(the_case);
  ASSERT_TRUE(the_case["kind"] == "bad" || sizes.size() >= 6) << "a right shader is right at every size";
  for (const auto size : sizes) {
    const auto arrays = run_case(the_case, shader, size);
    for (const auto& [binding, expected] : the_case["expected"].items()) {
      const auto number = static_cast<std::uint32_t>(std::stoul(binding));
      EXPECT_EQ(arrays.at(number), right_words(expected, size)) << "binding " << binding << ", wave size " << size;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FieldCase, testing::ValuesIn(read_cases().get<std::vector<json>>()),
                         [](const testing::TestParamInfo<json>& one) {
                           auto name = one.param["file"].get<std::string>();
                           std::ranges::replace_if(
                               name, [](char letter) { return std::isalnum(letter) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace crosslane::machine_tests
