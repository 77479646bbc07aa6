// Random programs give on the machine what the interpreter of their trees gives, at every wave size.
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "machine/decode/decode.hpp"
#include "machine/launch.hpp"
#include "machine/random/emit_spirv.hpp"
#include "machine/random/generate.hpp"
#include "machine/random/interpret.hpp"
#include "machine/random/random_data.hpp"
#include "machine/random/shrink.hpp"
#include "spirv/module.hpp"
#include "spirv/rewrite.hpp"
#include "spirv/validate.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"
#include "support/sweep.hpp"

namespace crosslane::machine_tests {
namespace {

using test::must;

constexpr std::array<std::uint32_t, 5> wave_sizes = {1, 3, 4, 32, 128};

std::vector<std::uint32_t> run_on_machine(const machine::Program& decoded, const Program& program,
                                          std::vector<std::uint32_t> data) {
  std::vector<std::uint32_t> traces(std::size_t{program.groups} * program.threads * trace_slots, untouched);
  std::vector<machine::Root> roots(decoded.roots);
  for (const auto& binding : decoded.bindings) {
    auto& words = binding.slot == 0 ? data : traces;
    roots[binding.first_root] = {reinterpret_cast<std::byte*>(words.data()), words.size() * sizeof(std::uint32_t)};
  }
  must(machine::run(decoded, {.groups = {program.groups, 1, 1}, .roots = roots}));
  return traces;
}

// What differs, empty for nothing. Half of the programs keep in memory what loading turns into values elsewhere.
std::string differs(const Program& program, std::uint32_t seed) {
  auto words = test::assemble(emit_spirv(program));
  must(spirv::validate(words, {.environment = "vulkan1.3"}));
  if (seed % 2 == 0) {
    words = must(spirv::promote_variables(words));
  }
  const auto module = must(spirv::make_module(std::move(words)));
  const auto data = random_data(program, seed);
  for (const auto wave_size : wave_sizes) {
    const auto decoded = must(machine::decode(module, {.wave_size = wave_size}));
    const auto expected = interpret(program, wave_size, data);
    const auto actual = run_on_machine(decoded, program, data);
    for (std::size_t at = 0; at < expected.size(); ++at) {
      if (expected[at] != actual[at]) {
        return fmt::format("wave size {}, thread {}, trace {}: {:#x}, and {:#x} is right", wave_size, at / trace_slots,
                           at % trace_slots, actual[at], expected[at]);
      }
    }
  }
  return {};
}

void expect_equal(std::uint32_t seed) {
  std::string difference;
  try {
    difference = differs(generate(seed), seed);
  } catch (const std::exception& exception) {
    difference = exception.what();
  }
  if (difference.empty()) {
    return;
  }
  const auto smaller = shrink(generate(seed), [seed](const Program& candidate) {
    try {
      return !differs(candidate, seed).empty();
    } catch (const std::exception&) {
      return true;
    }
  });
  ADD_FAILURE() << "program " << seed << ": " << difference << "\nits core:\n" << emit_spirv(smaller);
}

// In parts, which can be run side by side.
constexpr std::uint32_t parts = 8;

class RandomPrograms : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomPrograms, GiveWhatTheirTreesSay) {
  const auto programs = test::extent(1'000U, 10'000U);
  for (auto seed = GetParam(); seed < programs && !HasFailure(); seed += parts) {
    expect_equal(seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Part, RandomPrograms, testing::Range(0U, parts));

}  // namespace
}  // namespace crosslane::machine_tests
