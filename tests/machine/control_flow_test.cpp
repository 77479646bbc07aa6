// Shapes of control flow that random programs have not: what optimisers leave when they take empty blocks out.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine/decode/decode.hpp"
#include "machine/launch.hpp"
#include "support/assemble.hpp"
#include "support/expected.hpp"

namespace crosslane::machine_tests {
namespace {

constexpr std::uint32_t threads = 40;

// One thread group of 40 threads; %thread is the thread's number, and %result, defined by `body`, goes to its element.
constexpr const char* start = R"(
OpCapability Shader
OpCapability GroupNonUniformArithmetic
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %thread_in %out
OpExecutionMode %main LocalSize 40 1 1
OpDecorate %thread_in BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %buffer Block
OpMemberDecorate %buffer 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%c5 = OpConstant %uint 5
%words = OpTypeRuntimeArray %uint
%buffer = OpTypeStruct %words
%buffer_pointer = OpTypePointer StorageBuffer %buffer
%word_pointer = OpTypePointer StorageBuffer %uint
%input_pointer = OpTypePointer Input %uint
%thread_in = OpVariable %input_pointer Input
%out = OpVariable %buffer_pointer StorageBuffer
%main = OpFunction %void None %main_type
%entry = OpLabel
%thread = OpLoad %uint %thread_in
%bit = OpBitwiseAnd %uint %thread %c1
%odd = OpINotEqual %bool %bit %c0
)";

constexpr const char* end = R"(
%place = OpAccessChain %word_pointer %out %c0 %thread
OpStore %place %result
OpReturn
OpFunctionEnd
)";

// What threads with that number give: from the number of odd and of even lanes in their wave, and whether it is odd.
using Right = std::function<std::uint32_t(std::uint32_t thread, std::uint32_t odd, std::uint32_t even)>;

void expect_results(const std::string& body, const Right& right) {
  const auto words = test::assemble(start + body + end);
  for (const std::uint32_t wave_size : {1U, 3U, 4U, 32U, 128U}) {
    const auto program = test::must(machine::make_program(words, {.wave_size = wave_size}));
    std::array<std::uint32_t, threads> results{};
    std::vector<machine::Root> roots(program.roots);
    roots[program.bindings.at(0).first_root] = {reinterpret_cast<std::byte*>(results.data()), sizeof(results)};
    test::must(machine::run(program, {.groups = {1, 1, 1}, .roots = roots}));
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const auto first = thread / wave_size * wave_size;
      const auto last = std::min(first + wave_size, threads);
      const auto odd = last / 2 - first / 2;
      ASSERT_EQ(results.at(thread), right(thread, odd, last - first - odd))
          << "thread " << thread << ", wave size " << wave_size;
    }
  }
}

TEST(ControlFlow, BranchesGoStraightToALoopAndToTheEndOfTheSelection) {
  expect_results(R"(
%times3 = OpIMul %uint %thread %c3
%times5 = OpIMul %uint %thread %c5
OpSelectionMerge %merge None
OpBranchConditional %odd %header %merge
%header = OpLabel
%turn = OpPhi %uint %c0 %entry %next_turn %continue
%sum = OpPhi %uint %times3 %entry %next_sum %continue
%goes_on = OpULessThan %bool %turn %c2
OpLoopMerge %done %continue None
OpBranchConditional %goes_on %continue %done
%continue = OpLabel
%lanes = OpGroupNonUniformIAdd %uint %c3 Reduce %c1
%next_sum = OpIAdd %uint %sum %lanes
%next_turn = OpIAdd %uint %turn %c1
OpBranch %header
%done = OpLabel
OpBranch %merge
%merge = OpLabel
%result = OpPhi %uint %times5 %entry %sum %done
)",
                 [](std::uint32_t thread, std::uint32_t odd, std::uint32_t /*even*/) {
                   return thread % 2 == 1 ? thread * 3 + 2 * odd : thread * 5;
                 });
}

TEST(ControlFlow, LanesThatLeaveAtTheBackEdgeKeepWhatTheWaveGaveThem) {
  expect_results(
      R"(
OpBranch %header
%header = OpLabel
%turn = OpPhi %uint %c0 %entry %next_turn %header
%lanes = OpGroupNonUniformIAdd %uint %c3 Reduce %c1
%next_turn = OpIAdd %uint %turn %c1
%enough = OpIAdd %uint %bit %c1
%again = OpULessThan %bool %next_turn %enough
OpLoopMerge %done %header None
OpBranchConditional %again %header %done
%done = OpLabel
%result = OpPhi %uint %lanes %header
)",
      [](std::uint32_t thread, std::uint32_t odd, std::uint32_t even) { return thread % 2 == 1 ? odd : odd + even; });
}

}  // namespace
}  // namespace crosslane::machine_tests
