// Whole dispatches: groups, barriers, order between groups, what ends in an error, counters.
#include "machine/launch.hpp"

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "compile/glsl.hpp"
#include "machine/counters.hpp"
#include "machine/decode/decode.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"

namespace crosslane::machine {
namespace {

using test::fails;
using test::must;
using testing::Each;

constexpr std::array wave_sizes = {1U, 2U, 3U, 4U, 7U, 16U, 32U, 64U, 128U};

std::vector<std::uint32_t> compile(const std::string& body, const std::string& size = "local_size_x = 64") {
  compile::GlslRequest request;
  request.file = "test.comp";
  request.source =
      "#version 460\n"
      "#extension GL_KHR_shader_subgroup_basic : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n"
      "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
      "#extension GL_KHR_shader_subgroup_shuffle : require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n"
      "#pragma use_vulkan_memory_model\n"
      "layout(" +
      size +
      ") in;\n"
      "layout(binding = 0) buffer Words { uint words[]; };\n"
      "layout(binding = 1) coherent buffer Shared { uint shared_words[]; };\n"
      "shared uint group_words[1024];\n" +
      body;
  return must(compile::compile_glsl(request)).words;
}

// Runs the shader on one buffer per binding; the words that the first one then holds.
struct Dispatch {
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(1024);
  std::vector<std::uint32_t> shared_words = std::vector<std::uint32_t>(1024);
  std::array<std::uint32_t, 3> groups = {1, 1, 1};
  std::uint32_t threads = 2;
  std::uint64_t most_iterations = std::uint64_t{1} << 24U;
  Observer* observer = nullptr;

  Expected<void> operator()(const std::vector<std::uint32_t>& module, std::uint32_t wave_size) {
    auto program = make_program(module, {.wave_size = wave_size, .observed = observer != nullptr});
    if (!program) {
      return tl::unexpected<Error>(std::move(program.error()));
    }
    Launch launch{.groups = groups, .threads = threads, .most_iterations = most_iterations, .observer = observer};
    launch.roots.resize(program->roots);
    for (const auto& binding : program->bindings) {
      auto& buffer = binding.slot == 0 ? words : shared_words;
      launch.roots[binding.first_root] = {reinterpret_cast<std::byte*>(buffer.data()), buffer.size() * 4};
    }
    return run(*program, launch);
  }
};

TEST(Launch, NumbersThreadsAndWavesOfGroupsOfAnyShape) {
  const auto module = compile(
      "void main() {\n"
      "  const uint i = gl_LocalInvocationIndex;\n"
      "  const uvec3 id = gl_LocalInvocationID;\n"
      "  const bool right = i == id.x + 5 * (id.y + 3 * id.z) && gl_GlobalInvocationID == gl_WorkGroupID * uvec3(5, 3, "
      "2) + id\n"
      "    && i == gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID\n"
      "    && gl_NumSubgroups == (30 + gl_SubgroupSize - 1) / gl_SubgroupSize && gl_NumWorkGroups == uvec3(2, 3, 1);\n"
      "  words[(gl_WorkGroupID.x + 2 * gl_WorkGroupID.y) * 30 + i] = right ? 1 : 2;\n"
      "}\n",
      "local_size_x = 5, local_size_y = 3, local_size_z = 2");
  for (const auto wave_size : wave_sizes) {
    Dispatch run;
    run.words.resize(180);
    run.groups = {2, 3, 1};
    must(run(module, wave_size));
    EXPECT_THAT(run.words, Each(1U)) << wave_size;
  }
}

TEST(Launch, RunsNothingForNoGroups) {
  Dispatch run;
  run.groups = {4, 0, 2};
  must(run(compile("void main() { words[0] = 1; }"), 32));
  EXPECT_EQ(run.words[0], 0U);
}

TEST(Launch, WavesMeetAtBarriers) {
  const auto module = compile(
      "void main() {\n"
      "  const uint i = gl_LocalInvocationIndex;\n"
      "  group_words[i] = i * i;\n"
      "  barrier();\n"
      "  const uint other = group_words[63 - i];\n"
      "  barrier();\n"
      "  group_words[i] = other + 1;\n"
      "  barrier();\n"
      "  words[i] = group_words[(i + 7) % 64];\n"
      "}\n");
  for (const auto wave_size : wave_sizes) {
    Dispatch run;
    must(run(module, wave_size));
    for (std::uint32_t i = 0; i < 64; ++i) {
      const auto from = 63 - (i + 7) % 64;
      EXPECT_EQ(run.words[i], from * from + 1) << wave_size;
    }
  }
}

TEST(Launch, LanesThatReturnedAreNotWaitedFor) {
  const auto module = compile(
      "void main() {\n"
      "  if (gl_LocalInvocationIndex >= 40) { return; }\n"
      "  atomicAdd(group_words[0], 1);\n"
      "  barrier();\n"
      "  words[gl_LocalInvocationIndex] = group_words[0];\n"
      "}\n");
  for (const auto wave_size : wave_sizes) {
    Dispatch run;
    run.words.resize(40);
    must(run(module, wave_size));
    EXPECT_THAT(run.words, Each(40U)) << wave_size;
  }
}

TEST(Launch, ABarrierThatSomeLanesMissIsAnErrorWithItsLine) {
  const auto module = compile("void main() {\n  if (gl_LocalInvocationIndex % 2 == 0) {\n    barrier();\n  }\n}\n");
  Dispatch run;
  EXPECT_TRUE(fails(run(module, 32), ErrorCode::invalid_input, "test.comp:14"));
  Dispatch single;  // every wave is one lane: some waves end, the others meet
  must(single(module, 1));
}

TEST(Launch, WavesAtDifferentBarriersAreAnError) {
  const auto module =
      compile("void main() {\n  if (gl_SubgroupID == 0) {\n    barrier();\n  } else {\n    barrier();\n  }\n}\n");
  Dispatch run;
  EXPECT_TRUE(fails(run(module, 32), ErrorCode::invalid_input, "another wave of the group waits"));
}

TEST(Launch, ALoopWithoutEndIsAnError) {
  Dispatch run;
  run.most_iterations = 1U << 18U;
  EXPECT_TRUE(fails(run(compile("void main() { while (words[0] == 0) { words[1] = 1; } }"), 8), ErrorCode::device,
                    "no group has ended for 262144 iterations of threads"));
}

// Its one block is its header and its continue target, as DXC makes do-while loops.
TEST(Launch, ALoopOfOneBlockWithoutEndIsAnErrorToo) {
  const auto module = test::assemble(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %buffer
    OpExecutionMode %main LocalSize 4 1 1
    OpDecorate %array ArrayStride 4
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %block Block
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %device = OpConstant %uint 1
    %array = OpTypeRuntimeArray %uint
    %block = OpTypeStruct %array
    %to_block = OpTypePointer StorageBuffer %block
    %to_word = OpTypePointer StorageBuffer %uint
    %buffer = OpVariable %to_block StorageBuffer
    %main = OpFunction %void None %function
    %begin = OpLabel
    %word = OpAccessChain %to_word %buffer %zero %zero
    OpBranch %loop
    %loop = OpLabel
    %seen = OpAtomicOr %uint %word %device %zero %zero
    %again = OpIEqual %bool %seen %zero
    OpLoopMerge %end %loop None
    OpBranchConditional %again %loop %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd)");
  Dispatch run;
  run.most_iterations = 1U << 18U;
  EXPECT_TRUE(fails(run(module, 8), ErrorCode::device, "no group has ended for 262144 iterations of threads"));
}

// Group n waits for what group n − 1 writes: with few groups at a time that ends only if all make progress in order.
constexpr const char* chain =
    "void main() {\n"
    "  if (gl_LocalInvocationIndex == 0) {\n"
    "    const uint n = atomicAdd(shared_words[1023], 1);\n"
    "    uint before = 0;\n"
    "    if (n > 0) {\n"
    "      do {\n"
    "        before = atomicLoad(shared_words[n - 1], gl_ScopeDevice, gl_StorageSemanticsBuffer, "
    "gl_SemanticsAcquire);\n"
    "      } while (before == 0);\n"
    "    }\n"
    "    atomicStore(shared_words[n], before + n + 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, "
    "gl_SemanticsRelease);\n"
    "    words[gl_WorkGroupID.x] = n;\n"
    "  }\n"
    "}\n";

TEST(Launch, LookingBackEnds) {
  const auto module = compile(chain);
  for (const auto threads : {1U, 2U, 5U}) {
    Dispatch run;
    run.groups = {500, 1, 1};
    run.threads = threads;
    must(run(module, 32));
    EXPECT_EQ(run.shared_words[499], 500U * 501U / 2U);
    std::vector<std::uint32_t> order(500);
    std::iota(order.begin(), order.end(), 0U);
    run.words.resize(500);
    EXPECT_EQ(run.words, order) << "groups take turns in their order";
  }
}

TEST(Launch, AGroupMayWaitForALaterOne) {
  const auto module = compile(
      "void main() {\n"
      "  if (gl_LocalInvocationIndex == 0) {\n"
      "    const uint next = gl_WorkGroupID.x + 1;\n"
      "    if (next < gl_NumWorkGroups.x) {\n"
      "      while (atomicLoad(shared_words[next], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == "
      "0) {}\n"
      "    }\n"
      "    atomicStore(shared_words[gl_WorkGroupID.x], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, "
      "gl_SemanticsRelease);\n"
      "  }\n"
      "}\n");
  for (const auto threads : {1U, 3U}) {
    Dispatch run;
    run.groups = {6, 1, 1};
    run.threads = threads;
    run.shared_words.resize(6);
    must(run(module, 16));
    EXPECT_THAT(run.shared_words, Each(1U));
  }
}

TEST(Launch, ResultsDoNotDependOnTheNumberOfHostThreads) {
  // The order of float additions and of exchanges shows.
  const auto module = compile(
      "void main() {\n"
      "  const uint last = atomicExchange(shared_words[0], gl_GlobalInvocationID.x);\n"
      "  words[gl_GlobalInvocationID.x] = last;\n"
      "}\n");
  std::vector<std::vector<std::uint32_t>> results;
  for (const auto threads : {1U, 2U, 4U, 8U}) {
    Dispatch run;
    run.words.resize(std::size_t{64} * 100);
    run.groups = {100, 1, 1};
    run.threads = threads;
    must(run(module, 8));
    results.push_back(std::move(run.words));
  }
  EXPECT_THAT(results, Each(results[0]));
}

TEST(Launch, MemoryStartsAtZeroAndEndsAtTheBuffer) {
  const auto module = compile(
      "void main() {\n"
      "  const uint i = gl_GlobalInvocationID.x;\n"
      "  words[i] = group_words[i % 1024] + shared_words[i + 1000] + words.length();\n"
      "  group_words[i % 1024] = 5;\n"
      "}\n");
  for (const auto wave_size : wave_sizes) {
    Dispatch run;
    run.words.resize(100);
    run.shared_words.assign(1020, 7);
    run.groups = {3, 1, 1};
    must(run(module, wave_size));
    for (std::uint32_t i = 0; i < 100; ++i) {
      EXPECT_EQ(run.words[i], (i < 20 ? 7U : 0U) + 100U) << wave_size;
    }
  }
}

TEST(Launch, OfAWaveSizeThatCannotBeIsRefused) {
  const auto module = compile("void main() {}");
  for (const auto wave_size : {0U, 129U, 4000000000U}) {
    EXPECT_TRUE(fails(make_program(module, {.wave_size = wave_size}), ErrorCode::invalid_argument, "1 to 128"));
  }
  EXPECT_TRUE(fails(make_program(module, {.entry_point = "other"}), ErrorCode::invalid_argument, "it has main"));
}

TEST(Counters, CountWhatAShaderDoes) {
  const auto module = compile(
      "void main() {\n"
      "  const uint i = gl_LocalInvocationIndex;\n"
      "  group_words[i] = words[i];\n"
      "  barrier();\n"
      "  uint value = group_words[63 - i];\n"
      "  if (i % 2 == 0) { value = subgroupShuffleXor(value, 2); }\n"
      "  atomicAdd(shared_words[0], 1);\n"
      "  words[i] = value;\n"
      "}\n");
  for (const std::uint32_t wave_size : {4U, 16U, 64U}) {
    Counters counters;
    Dispatch run;
    run.groups = {3, 1, 1};
    run.observer = &counters;
    must(run(module, wave_size));
    const auto& counts = counters.counts();
    const std::uint64_t waves = 3 * 64 / wave_size;
    EXPECT_EQ(counts.groups, 3U);
    EXPECT_EQ(counts.threads, 192U);
    EXPECT_EQ(counts.groupshared_reads.accesses, 192U);
    EXPECT_EQ(counts.groupshared_writes.bytes, 768U);
    EXPECT_EQ(counts.buffer_reads.bytes, 768U);
    EXPECT_EQ(counts.buffer_writes.accesses, 192U);
    EXPECT_EQ(counts.buffer_atomics.accesses, 192U);
    EXPECT_EQ(counts.barriers, waves);
    EXPECT_EQ(counts.divergent_branches, waves);
    ASSERT_TRUE(counts.shuffles.contains("ShuffleXor"));
    EXPECT_EQ(counts.shuffles.at("ShuffleXor").waves, waves);
    EXPECT_EQ(counts.shuffles.at("ShuffleXor").lanes, 96U);
    EXPECT_EQ(counts.instructions.at(Family::barrier).waves, waves);
    EXPECT_EQ(counts.instructions.at(Family::atomic).lanes, 192U);
  }
}

}  // namespace
}  // namespace crosslane::machine
