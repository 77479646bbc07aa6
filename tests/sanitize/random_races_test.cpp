// Random shaders race where happens-before by its definition says so.
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compile/glsl.hpp"
#include "device/machine/device.hpp"
#include "sanitize/happens_before.hpp"
#include "sanitize/race_detector.hpp"
#include "support/expected.hpp"
#include "support/sweep.hpp"

namespace crosslane::sanitize_tests {
namespace {

using test::must;

constexpr std::uint32_t threads = 8;  // two waves of four lanes

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed * 2654435761U + 1U) {}

  std::string shader() {
    std::string body;
    const auto statements = 3 + below(10);
    for (std::uint32_t n = 0; n < statements; ++n) {
      body += statement() + "\n";
    }
    return fmt::format(
        "#version 460\n"
        "#extension GL_KHR_memory_scope_semantics : require\n"
        "#extension GL_KHR_shader_subgroup_basic : require\n"
        "layout(local_size_x = {}) in;\n"
        "layout(binding = 0) coherent buffer Words {{ uint words[]; }};\n"
        "layout(binding = 1) coherent buffer Flags {{ uint flags[]; }};\n"
        "layout(binding = 2) buffer Sink {{ uint sink[]; }};\n"
        "shared uint tile[16];\nshared uint signs[4];\n"
        "void main() {{\n"
        "const uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;\nuint x = 0;\n"
        "{}sink[g * {} + i] = x;\n}}\n",
        threads, body, threads);
  }

 private:
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() >> 8U) % count; }
  template <std::size_t N>
  std::string_view any(const std::array<std::string_view, N>& of) {
    return of[below(N)];
  }

  std::string guarded(const std::string& text) {
    switch (below(4)) {
      case 0:
        return fmt::format("if (({}u >> i & 1u) != 0u) {{ {} }}", below(256), text);
      case 1:
        return fmt::format("if (g == {}u) {{ {} }}", below(2), text);
      case 2:
        return fmt::format("if (i == {}u) {{ {} }}", below(threads), text);
      default:
        return text;
    }
  }

  std::string place() {
    constexpr std::array<std::string_view, 2> memories = {"words", "tile"};
    constexpr std::array<std::string_view, 8> indices = {"i", "i", "i", "(i ^ 1u)", "(i ^ 4u)", "i / 2u", "0u", "g"};
    return fmt::format("{}[{}]", any(memories), any(indices));
  }

  std::string order() {
    constexpr std::array<std::string_view, 3> scopes = {"gl_ScopeDevice", "gl_ScopeWorkgroup", "gl_ScopeSubgroup"};
    constexpr std::array<std::string_view, 3> memory = {"gl_StorageSemanticsBuffer", "gl_StorageSemanticsShared",
                                                        "gl_StorageSemanticsBuffer | gl_StorageSemanticsShared"};
    return fmt::format("{}, {}", any(scopes), any(memory));
  }

  std::string atomic() {
    const auto flag = below(2) == 0 ? fmt::format("flags[{}]", below(3)) : fmt::format("signs[{}]", below(3));
    switch (below(6)) {
      case 0:
        return fmt::format("x += atomicAdd({}, 1u);", flag);
      case 1:
        return fmt::format("x += atomicAdd({}, 1u, {}, gl_SemanticsAcquireRelease);", flag, order());
      case 2:
        return fmt::format("x += atomicAdd({}, 1u, {}, gl_SemanticsRelease);", flag, order());
      case 3:
        return fmt::format("x += atomicLoad({}, {}, gl_SemanticsAcquire);", flag, order());
      case 4:
        return fmt::format("atomicStore({}, 1u, {}, gl_SemanticsRelease);", flag, order());
      default:
        return fmt::format("x += atomicAdd({}, 1u);", place());
    }
  }

  std::string statement() {
    constexpr std::array<std::string_view, 8> barriers = {
        "barrier();",
        "memoryBarrierBuffer(); barrier();",
        "memoryBarrierBuffer(); barrier(); memoryBarrierBuffer();",
        "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);",
        "controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, "
        "gl_SemanticsAcquireRelease);",
        "subgroupBarrier();",
        "memoryBarrierBuffer();",
        "memoryBarrier();"};
    switch (below(8)) {
      case 0:
      case 1:
        return std::string(any(barriers));
      case 2:
      case 3:
        return guarded(atomic());
      case 4:
      case 5:
        return guarded(fmt::format("x += {};", place()));
      default:
        return guarded(fmt::format("{} = i + {}u;", place(), below(3)));
    }
  }

  std::minstd_rand random_;
};

// Both see the same run.
class Both final : public machine::Observer, public sanitize::RaceListener {
 public:
  void on_race(const machine::Wave& wave, const sanitize::Race& race) override {
    const bool groupshared = race.address.root == machine::groupshared_root;
    races.emplace(race.address.root, groupshared ? wave.group->number : 0, race.address.offset / 4);
  }

  void on_dispatch(const machine::Program& program) override {
    fast_ = std::make_unique<sanitize::RaceDetector>(program, std::vector<sanitize::RaceListener*>{this});
  }
  void on_group(const machine::Wave& first_wave) override { fast_->on_group(first_wave); }
  void on_group_end(const machine::Group& group) override { fast_->on_group_end(group); }
  void on_access(const machine::Wave& wave, const machine::OpSource& source,
                 const machine::MemoryEvent& event) override {
    fast_->on_access(wave, source, event);
    slow.on_access(wave, source, event);
  }
  void on_barrier_passed(const machine::Group& group, const machine::BarrierPlan& plan) override {
    fast_->on_barrier_passed(group, plan);
    slow.on_barrier_passed(group, plan);
  }
  void on_fence(const machine::Wave& wave, const machine::OpSource& source, const machine::BarrierPlan& plan) override {
    fast_->on_fence(wave, source, plan);
    slow.on_fence(wave, source, plan);
  }

  HappensBefore slow;
  std::set<RacyPlace> races;

 private:
  std::unique_ptr<sanitize::RaceDetector> fast_;
};

std::string text_of(const std::set<RacyPlace>& places) {
  std::string text;
  for (const auto& [root, group, offset] : places) {
    text += fmt::format(" {}:{}:{}", root, group, offset);
  }
  return text;
}

// Counts programs that race, so that neither side can be right by saying nothing.
bool compare(std::uint32_t seed) {
  compile::GlslRequest source;
  source.file = "random.comp";
  source.source = Generator(seed).shader();
  const auto words = must(compile::compile_glsl(source)).words;
  const auto device = must(machine::create_device(4));
  Both both;
  must(machine::watch(*device, {.observer = &both,
                                .instructions = false,
                                .schedule = {.falling_waves = seed % 3 == 1, .falling_groups = seed % 3 == 2}}));
  const auto pipeline = must(device->create_pipeline({.spirv = words}));
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<Binding> bindings;
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    buffers.push_back(must(device->create_buffer({.bytes = 256})));
    bindings.push_back({.slot = slot, .buffer = buffers.back().get()});
  }
  const auto list = must(device->create_command_list());
  must(list->dispatch(*pipeline, bindings, {}, {2, 1, 1}));
  must(run(*device, *list));
  // Two writes that race are told when somebody reads what they left: the first race at the place is then theirs.
  auto expected = both.slow.races();
  for (const auto& place : both.slow.races_of_writes()) {
    if (both.races.contains(place)) {
      expected.insert(place);
    }
  }
  EXPECT_EQ(text_of(both.races), text_of(expected)) << "program " << seed << "\n" << *source.source;
  return !both.races.empty();
}

constexpr std::uint32_t parts = 4;

class RandomRaces : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomRaces, AreThoseOfTheDefinition) {
  const auto programs = test::extent(200U, 4'000U);
  std::uint32_t racy = 0;
  std::uint32_t all = 0;
  for (auto seed = GetParam(); seed < programs && !HasFailure(); seed += parts) {
    racy += compare(seed) ? 1U : 0U;
    ++all;
  }
  EXPECT_GT(racy, all / 4);
  EXPECT_LT(racy, all - all / 20) << "some programs are right";
}

INSTANTIATE_TEST_SUITE_P(Part, RandomRaces, testing::Range(0U, parts));

}  // namespace
}  // namespace crosslane::sanitize_tests
