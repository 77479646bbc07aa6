// Pointers of every kind: into arrays of buffers, variable ones, physical ones, and those that functions are handed.
#include <array>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "compile/glsl.hpp"
#include "machine/decode/decode.hpp"
#include "machine/launch.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"

namespace crosslane::machine {
namespace {

using test::must;
using testing::Each;

constexpr std::array wave_sizes = {1U, 3U, 4U, 32U, 128U};

std::vector<std::uint32_t> compile(const std::string& source) {
  compile::GlslRequest request;
  request.file = "test.comp";
  request.source =
      "#version 460\n#extension GL_EXT_buffer_reference : require\n"
      "#extension GL_EXT_buffer_reference_uvec2 : require\n"
      "#extension GL_EXT_nonuniform_qualifier : require\nlayout(local_size_x = 40) in;\n" +
      source;
  return must(compile::compile_glsl(request)).words;
}

// Runs one group; `buffers` are the roots of the bindings, one after the other.
void run_on(const std::vector<std::uint32_t>& module, std::uint32_t wave_size,
            std::vector<std::vector<std::uint32_t>*> buffers, std::vector<std::uint32_t> constants = {}) {
  const auto program = must(make_program(module, {.wave_size = wave_size}));
  Launch launch{.groups = {1, 1, 1}};
  launch.roots.resize(program.roots);
  launch.roots[constants_root] = {reinterpret_cast<std::byte*>(constants.data()), constants.size() * 4};
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    auto* const data = reinterpret_cast<std::byte*>(buffers[i]->data());
    if (first_binding_root + i < program.roots) {
      launch.roots[first_binding_root + i] = {data, buffers[i]->size() * 4};
    }
    launch.addresses.push_back({0x1000000 * (i + 1), buffers[i]->size() * 4, data});
  }
  must(run(program, launch));
}

TEST(Pointers, IntoAnArrayOfBuffersByAnIndexThatDiffersFromLaneToLane) {
  const auto module = compile(
      "layout(binding = 0) buffer Result { uint result[]; };\n"
      "layout(binding = 1) buffer Many { uint words[]; } many[3];\n"
      "void main() {\n"
      "  const uint i = gl_LocalInvocationIndex;\n"
      "  result[i] = many[nonuniformEXT(i % 4)].words[i / 4] + many[2].words.length();\n"
      "  many[nonuniformEXT(i % 3)].words[20] = 9;\n"
      "}\n");
  for (const auto wave_size : wave_sizes) {
    std::vector<std::uint32_t> result(40);
    std::array<std::vector<std::uint32_t>, 3> many;
    for (std::uint32_t buffer = 0; buffer < 3; ++buffer) {
      for (std::uint32_t i = 0; i < 21; ++i) {
        many[buffer].push_back(100 * (buffer + 1) + i);
      }
    }
    run_on(module, wave_size, {&result, &many[0], &many[1], &many[2]});
    for (std::uint32_t i = 0; i < 40; ++i) {
      EXPECT_EQ(result[i], (i % 4 == 3 ? 0 : 100 * (i % 4 + 1) + i / 4) + 21) << wave_size;
    }
    EXPECT_EQ(many[0][20] + many[1][20] + many[2][20], 27U);
  }
}

TEST(Pointers, ToPhysicalMemory) {
  const auto module = compile(
      "layout(buffer_reference, std430, buffer_reference_align = 4) buffer Node { uint value; uvec2 next; };\n"
      "layout(binding = 0) buffer Result { uint result[]; };\n"
      "layout(push_constant) uniform Constants { uvec2 first; };\n"
      "void main() {\n"
      "  Node node = Node(first);\n"
      "  for (uint i = 0; i < gl_LocalInvocationIndex % 3; ++i) { node = Node(node.next); }\n"
      "  result[gl_LocalInvocationIndex] = node.value;\n"
      "}\n");
  for (const auto wave_size : wave_sizes) {
    std::vector<std::uint32_t> result(40);
    // A list of nodes of 16 bytes in the second buffer, whose address is 0x2000000.
    std::vector<std::uint32_t> nodes = {7, 0, 0x2000020, 0, 99, 0, 0, 0, 8, 0, 0x2000010, 0};
    run_on(module, wave_size, {&result, &nodes}, {0x2000000, 0});
    for (std::uint32_t i = 0; i < 40; ++i) {
      EXPECT_EQ(result[i], (std::array{7U, 8U, 99U}[i % 3])) << wave_size;
    }
  }
}

TEST(Pointers, AreHandedToFunctionsThatReturnEarly) {
  const auto module = compile(
      "layout(binding = 0) buffer Result { uint result[]; };\n"
      "uint table[5];\n"
      "void change(inout uint place, uint by, out bool large) {\n"
      "  large = false;\n"
      "  if (by % 2 == 0) { return; }\n"
      "  for (uint i = 0; i < by; ++i) {\n"
      "    place += 10;\n"
      "    if (place > 60) { large = true; return; }\n"
      "  }\n"
      "}\n"
      "void main() {\n"
      "  const uint i = gl_LocalInvocationIndex;\n"
      "  for (uint k = 0; k < 5; ++k) { table[k] = k; }\n"
      "  bool large;\n"
      "  change(table[i % 5], i, large);\n"
      "  result[i] = table[i % 5] + (large ? 1000 : 0);\n"
      "}\n");
  for (const auto wave_size : wave_sizes) {
    std::vector<std::uint32_t> result(40);
    run_on(module, wave_size, {&result});
    for (std::uint32_t i = 0; i < 40; ++i) {
      std::uint32_t place = i % 5;
      bool large = false;
      for (std::uint32_t k = 0; k < i && i % 2 == 1 && !large; ++k) {
        place += 10;
        large = place > 60;
      }
      EXPECT_EQ(result[i], place + (large ? 1000 : 0)) << i << " at " << wave_size;
    }
  }
}

// A pointer chosen by OpSelect and carried round a loop by OpPhi, in a buffer and in groupshared memory.
constexpr const char* variable_pointers = R"(
OpCapability Shader
OpCapability VariablePointers
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index %buffer %group
OpExecutionMode %main LocalSize 40 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %words ArrayStride 4
OpDecorate %word_pointer ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%bool = OpTypeBool
%words = OpTypeRuntimeArray %u32
%block = OpTypeStruct %words
%block_pointer = OpTypePointer StorageBuffer %block
%word_pointer = OpTypePointer StorageBuffer %u32
%in_pointer = OpTypePointer Input %u32
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c2 = OpConstant %u32 2
%c3 = OpConstant %u32 3
%c40 = OpConstant %u32 40
%c80 = OpConstant %u32 80
%c264 = OpConstant %u32 264
%group_words = OpTypeArray %u32 %c80
%group_pointer = OpTypePointer Workgroup %group_words
%group_word = OpTypePointer Workgroup %u32
%index = OpVariable %in_pointer Input
%buffer = OpVariable %block_pointer StorageBuffer
%group = OpVariable %group_pointer Workgroup
%main = OpFunction %void None %function
%entry = OpLabel
%i = OpLoad %u32 %index
%i40 = OpIAdd %u32 %i %c40
%odd_bits = OpBitwiseAnd %u32 %i %c1
%odd = OpIEqual %bool %odd_bits %c1
%low = OpAccessChain %word_pointer %buffer %c0 %i
%high = OpAccessChain %word_pointer %buffer %c0 %i40
%chosen = OpSelect %word_pointer %odd %low %high
%glow = OpAccessChain %group_word %group %i
%ghigh = OpAccessChain %group_word %group %i40
%gchosen = OpSelect %group_word %odd %ghigh %glow
OpStore %gchosen %i
OpControlBarrier %c2 %c2 %c264
OpBranch %loop
%loop = OpLabel
%pointer = OpPhi %word_pointer %chosen %entry %next %continue
%k = OpPhi %u32 %c0 %entry %k1 %continue
%more = OpULessThan %bool %k %c3
OpLoopMerge %done %continue None
OpBranchConditional %more %body %done
%body = OpLabel
%own = OpLoad %u32 %gchosen
%sum = OpIAdd %u32 %own %k
%old = OpLoad %u32 %pointer
%new = OpIAdd %u32 %old %sum
OpStore %pointer %new
OpBranch %continue
%continue = OpLabel
%next = OpPtrAccessChain %word_pointer %pointer %c80
%k1 = OpIAdd %u32 %k %c1
OpBranch %loop
%done = OpLabel
OpReturn
OpFunctionEnd
)";

TEST(Pointers, AreChosenAndCarriedRoundLoops) {
  const auto module = test::assemble(variable_pointers);
  for (const auto wave_size : wave_sizes) {
    std::vector<std::uint32_t> words(240, 1000);
    run_on(module, wave_size, {&words});
    for (std::uint32_t place = 0; place < 240; ++place) {
      const auto i = place % 40;
      const bool touched = (place % 80 < 40) == (i % 2 == 1);
      EXPECT_EQ(words[place], touched ? 1000 + i + place / 80 : 1000) << place << " at " << wave_size;
    }
  }
}

TEST(Pointers, BeyondTheirBufferReadNothingAndWriteNothing) {
  const auto module = compile(
      "layout(binding = 0) buffer Result { uint result[40]; };\n"
      "layout(binding = 1) buffer Small { uvec4 vectors[]; };\n"
      "void main() {\n"
      "  const uint i = gl_LocalInvocationIndex;\n"
      "  const uint far = i == 3 ? 0xFFFFFFFFu : i == 4 ? 0x10000000u : i == 5 ? 0x40000001u : i;\n"
      "  result[i] = vectors[far].z;\n"
      "  vectors[int(far) - 20] = uvec4(5);\n"
      "}\n");
  for (const auto wave_size : wave_sizes) {
    std::vector<std::uint32_t> result(40, 1);
    std::vector<std::uint32_t> small(10 * 4, 6);
    run_on(module, wave_size, {&result, &small});
    for (std::uint32_t i = 0; i < 40; ++i) {
      EXPECT_EQ(result[i], i < 10 && (i < 3 || i > 5) ? 6U : 0U) << wave_size;
    }
    EXPECT_THAT(small, Each(5U));  // threads 20 to 29 write all ten
  }
}

}  // namespace
}  // namespace crosslane::machine
