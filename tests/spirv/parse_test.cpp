#include "spirv/parse.hpp"

#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "spirv/modules.hpp"
#include "spirv/reflection.hpp"
#include "spirv/rewrite.hpp"
#include "spirv/validate.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"

namespace crosslane::spirv {
namespace {

using test::assemble;
using test::empty_shader;
using test::fails;
using test::must;

Expected<void> ignore(const Instruction& /*instruction*/) { return {}; }

TEST(Parse, HandsOverEveryInstructionInOrder) {
  const auto words = assemble(empty_shader(), 3);
  std::vector<std::uint16_t> opcodes;
  std::size_t next_word = 5;
  const auto header = must(parse(words, [&](const Instruction& instruction) -> Expected<void> {
    opcodes.push_back(instruction.opcode);
    EXPECT_EQ(instruction.first_word, next_word);
    EXPECT_EQ(instruction.words[0], words[next_word]);
    next_word += instruction.words.size();
    return {};
  }));
  EXPECT_EQ(header.version, (Version{1, 3}));
  EXPECT_EQ(header.id_bound, words[3]);
  EXPECT_EQ(next_word, words.size());
  // Capability, MemoryModel, EntryPoint, ExecutionMode, TypeVoid, TypeFunction, Function, Label, Return, FunctionEnd.
  EXPECT_EQ(opcodes, (std::vector<std::uint16_t>{17, 14, 15, 16, 19, 33, 54, 248, 253, 56}));
}

TEST(Parse, NamesTheIdsThatAnInstructionUses) {
  const auto words = assemble(empty_shader());
  must(parse(words, [&](const Instruction& instruction) -> Expected<void> {
    constexpr std::uint16_t op_function = 54;
    if (instruction.opcode == op_function) {
      EXPECT_EQ(instruction.type_id, instruction.words[1]);
      EXPECT_EQ(instruction.result_id, instruction.words[2]);
      EXPECT_EQ(std::vector(instruction.ids.begin(), instruction.ids.end()), (std::vector{instruction.words[4]}));
    }
    return {};
  }));
}

TEST(Parse, PassesOnTheVisitorsErrorAndStops) {
  int seen = 0;
  const auto result = parse(assemble(empty_shader()), [&seen](const Instruction&) -> Expected<void> {
    ++seen;
    return fail(ErrorCode::unsupported, "enough");
  });
  EXPECT_TRUE(fails(result, ErrorCode::unsupported, "enough"));
  EXPECT_EQ(seen, 1);
}

TEST(Parse, LetsTheVisitorsExceptionThrough) {
  EXPECT_THROW(static_cast<void>(parse(assemble(empty_shader()),
                                       [](const Instruction&) -> Expected<void> { throw std::out_of_range("x"); })),
               std::out_of_range);
}

TEST(Parse, RefusesWhatIsNoModule) {
  EXPECT_TRUE(fails(parse({}, ignore), ErrorCode::invalid_input, "0 words"));
  const std::vector<std::uint32_t> zeros(100);
  EXPECT_TRUE(fails(parse(zeros, ignore), ErrorCode::invalid_input, "begins with 0x00000000"));
  const std::vector<std::uint32_t> swapped = {0x03022307, 0, 0, 0, 0, 0};
  EXPECT_TRUE(fails(parse(swapped, ignore), ErrorCode::invalid_input, "byte order"));
}

TEST(Parse, TextEndsAtItsZero) {
  const std::vector<std::uint32_t> words = {0x6E69616D, 0, 0x41414141};
  EXPECT_EQ(text_of(words), "main");
  EXPECT_EQ(text_of(std::span(words).first(1)), "main");
  EXPECT_EQ(text_of({}), "");
}

// Everything that reads words from outside, on whatever is handed to it: it may refuse, it must not crash.
void read_in_every_way(std::span<const std::uint32_t> words) {
  static_cast<void>(reflect(words, "main"));
  static_cast<void>(validate(words));
  static_cast<void>(strip_maximal_reconvergence(words));
  static_cast<void>(trim_capabilities(words));
  static_cast<void>(strip_tool_information(words));
}

std::vector<std::uint32_t> busy_module() {
  return assemble(R"(
    OpCapability Shader
    OpCapability GroupNonUniform
    OpCapability GroupNonUniformArithmetic
    OpCapability GroupNonUniformPartitionedNV
    OpExtension "SPV_NV_shader_subgroup_partitioned"
    OpExtension "SPV_KHR_maximal_reconvergence"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %buffer %constants
    OpExecutionMode %main LocalSize 64 1 1
    OpExecutionMode %main MaximallyReconvergesKHR
    OpName %buffer "values"
    OpDecorate %array ArrayStride 4
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %block Block
    OpMemberDecorate %push 0 Offset 0
    OpMemberDecorate %push 1 Offset 16
    OpMemberDecorate %push 1 MatrixStride 16
    OpMemberDecorate %push 1 ColMajor
    OpDecorate %push Block
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 3
    OpDecorate %factor SpecId 7
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %float = OpTypeFloat 32
    %vec3 = OpTypeVector %float 3
    %mat = OpTypeMatrix %vec3 2
    %zero = OpConstant %uint 0
    %scope = OpConstant %uint 3
    %factor = OpSpecConstant %uint 5
    %array = OpTypeRuntimeArray %uint
    %block = OpTypeStruct %array
    %push = OpTypeStruct %uint %mat
    %block_pointer = OpTypePointer StorageBuffer %block
    %push_pointer = OpTypePointer PushConstant %push
    %uint_pointer = OpTypePointer StorageBuffer %uint
    %push_uint_pointer = OpTypePointer PushConstant %uint
    %buffer = OpVariable %block_pointer StorageBuffer
    %constants = OpVariable %push_pointer PushConstant
    %main = OpFunction %void None %function
    %label = OpLabel
    %from = OpAccessChain %push_uint_pointer %constants %zero
    %value = OpLoad %uint %from
    %sum = OpGroupNonUniformIAdd %uint %scope Reduce %value
    %product = OpIMul %uint %sum %factor
    %to = OpAccessChain %uint_pointer %buffer %zero %zero
    OpStore %to %product
    OpReturn
    OpFunctionEnd
  )");
}

TEST(Malformed, EveryTruncationIsAnErrorOrHarmless) {
  const auto words = busy_module();
  must(validate(words, {"spv1.5"}));
  for (std::size_t count = 0; count < words.size(); ++count) {
    read_in_every_way(std::span(words).first(count));
  }
}

TEST(Malformed, EveryCutInstructionIsAnError) {
  auto words = busy_module();
  words.pop_back();
  words.push_back(0x00030038);  // the last instruction says it has three words; one is there
  EXPECT_TRUE(fails(parse(words, ignore), ErrorCode::invalid_input, "malformed"));
  EXPECT_TRUE(fails(reflect(words, "main"), ErrorCode::invalid_input, "malformed"));
  words.back() = 0x00000038;  // an instruction of no words would never end
  EXPECT_TRUE(fails(parse(words, ignore), ErrorCode::invalid_input, "malformed"));
}

TEST(Malformed, GarbageDoesNotCrash) {
  std::mt19937 random(20261129);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> words(5 + random() % 60);
    for (auto& word : words) {
      word = static_cast<std::uint32_t>(random());
    }
    words[0] = 0x07230203;
    words[1] = 0x00010500;
    read_in_every_way(words);
  }
}

TEST(Malformed, MutatedModulesDoNotCrash) {
  const auto original = busy_module();
  std::mt19937 random(42);
  for (int round = 0; round < 3000; ++round) {
    auto words = original;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      auto& word = words[5 + random() % (words.size() - 5)];
      // Small numbers keep most of the module grammatical: ids, types and literals that exist, in wrong places.
      word =
          random() % 2 == 0 ? static_cast<std::uint32_t>(random() % 64) : word ^ (std::uint32_t{1} << (random() % 32));
    }
    read_in_every_way(words);
  }
}

}  // namespace
}  // namespace crosslane::spirv
