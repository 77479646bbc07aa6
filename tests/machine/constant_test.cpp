// Specialization constants: their values by id, instructions between them, arrays and thread groups sized by them.
#include <gtest/gtest.h>

#include "machine/check_instruction.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

using Words = std::vector<std::uint32_t>;
using WordSpan = std::span<const std::uint32_t>;

// Two words of input, which most programs here do not use.
const Words some_words = Draw(80).some<std::uint32_t>(2 * 50);

// An instruction of one operand that makes `rows` words.
Instruction words_from(std::uint32_t rows, const std::string& body, const std::string& declarations) {
  return {.body = body, .result = {'u', 32, rows}, .operands = {{'u', 32, 2}}, .declarations = declarations};
}

template <typename T>
void check_constant(const std::string& literal, T written, T wanted, std::uint64_t bits) {
  Instruction instruction{.body = "%r = OpCopyObject $R %constant",
                          .result = type_of<T>(),
                          .operands = {{'u', 32, 2}},
                          .declarations = "%constant = OpSpecConstant $R " + literal,
                          .decorations = "OpDecorate %constant SpecId 7\n"};
  check_whole<T>(
      instruction, [&](WordSpan) { return std::vector{written}; }, some_words);
  instruction.constants = {{7, bits}};
  check_whole<T>(
      instruction, [&](WordSpan) { return std::vector{wanted}; }, some_words);
}

TEST(MachineConstant, EveryTypeById) {
  check_constant<std::uint8_t>("200", 200, 201, 201);
  check_constant<std::int8_t>("-100", -100, -3, static_cast<std::uint8_t>(-3));
  check_constant<std::uint16_t>("60000", 60000, 1, 1);
  check_constant<std::int16_t>("-30000", -30000, -1, 0xFFFF);
  check_constant<std::uint32_t>("4000000000", 4000000000, 5, 5);
  check_constant<std::int32_t>("-7", -7, -9, static_cast<std::uint32_t>(-9));
  check_constant<std::uint64_t>("10000000000000000000", 10000000000000000000U, ~std::uint64_t{0}, ~std::uint64_t{0});
  check_constant<std::int64_t>("-5000000000", -5000000000, -6000000000, static_cast<std::uint64_t>(-6000000000));
  check_constant<Half>("1.5", {0x3E00}, {0xC500}, 0xC500);
  check_constant<float>("0.1", 0.1F, -2.5F, std::bit_cast<std::uint32_t>(-2.5F));
  check_constant<double>("0.1", 0.1, -2.5, std::bit_cast<std::uint64_t>(-2.5));
}

TEST(MachineConstant, BooleansById) {
  for (const bool written : {false, true}) {
    Instruction instruction{
        .body = "%r = OpCopyObject $R %constant",
        .result = type_of<Truth>(),
        .operands = {{'u', 32, 2}},
        .declarations = std::string("%constant = OpSpecConstant") + (written ? "True" : "False") + " %bool",
        .decorations = "OpDecorate %constant SpecId 3\n"};
    const auto is = [](bool value) {
      return [value](WordSpan) { return std::vector{value ? Truth::yes : Truth::no}; };
    };
    check_whole<Truth>(instruction, is(written), some_words);
    instruction.constants = {{3, 0}};
    check_whole<Truth>(instruction, is(false), some_words);
    instruction.constants = {{3, 1}};
    check_whole<Truth>(instruction, is(true), some_words);
  }
}

struct Computed {
  std::string definition;  ///< of %c, from %n (u32), %s (i32) and %v (two words: n and 5)
  std::uint32_t (*oracle)(std::uint32_t n, std::int32_t s);
};

// The instructions that Vulkan allows between constants.
TEST(MachineConstant, InstructionsBetweenConstants) {
  using N = std::uint32_t;
  using S = std::int32_t;
  const std::vector<Computed> cases = {
      {"OpSpecConstantOp %u32 IAdd %n %five", [](N n, S) { return n + 5; }},
      {"OpSpecConstantOp %u32 ISub %five %n", [](N n, S) { return 5 - n; }},
      {"OpSpecConstantOp %u32 IMul %n %n", [](N n, S) { return n * n; }},
      {"OpSpecConstantOp %u32 UDiv %n %five", [](N n, S) { return n / 5; }},
      {"OpSpecConstantOp %u32 UMod %n %five", [](N n, S) { return n % 5; }},
      {"OpSpecConstantOp %u32 ShiftLeftLogical %n %five", [](N n, S) { return n << 5U; }},
      {"OpSpecConstantOp %u32 ShiftRightLogical %n %word_1", [](N n, S) { return n >> 1U; }},
      {"OpSpecConstantOp %u32 BitwiseXor %n %five", [](N n, S) { return n ^ 5U; }},
      {"OpSpecConstantOp %u32 BitwiseAnd %n %five", [](N n, S) { return n & 5U; }},
      {"OpSpecConstantOp %u32 BitwiseOr %n %five", [](N n, S) { return n | 5U; }},
      {"OpSpecConstantOp %u32 Not %n", [](N n, S) { return ~n; }},
      {"OpSpecConstantOp %u32 Select %less %n %five", [](N n, S) { return n < 5 ? n : 5; }},
      {"OpSpecConstantOp %u32 CompositeExtract %v 1", [](N, S) { return N{5}; }},
      {"OpSpecConstantOp %u32 CompositeExtract %shuffled 0", [](N, S) { return N{5}; }},
      {"OpSpecConstantOp %u32 CompositeExtract %inserted 0", [](N n, S) { return n * 2; }},
      {"OpSpecConstantOp %u32 UConvert %wide", [](N n, S) { return n + 1; }},
  };
  for (const auto& [definition, oracle] : cases) {
    Instruction instruction = words_from(1, "%r = OpCopyObject $R %c", R"(%u64 = OpTypeInt 64 0
%five = OpConstant %u32 5
%one_wide = OpConstant %u64 1
%n = OpSpecConstant %u32 12
%s = OpSpecConstant %i32 -3
%v = OpSpecConstantComposite %v2u32 %n %five
%less = OpSpecConstantOp %bool ULessThan %n %five
%shuffled = OpSpecConstantOp %v2u32 VectorShuffle %v %v 1 2
%twice = OpSpecConstantOp %u32 IAdd %n %n
%inserted = OpSpecConstantOp %v2u32 CompositeInsert %twice %v 0
%n_wide = OpSpecConstantOp %u64 UConvert %n
%wide = OpSpecConstantOp %u64 IAdd %n_wide %one_wide
%c = )" + definition);
    instruction.decorations = "OpDecorate %n SpecId 0\nOpDecorate %s SpecId 1\n";
    for (const std::uint32_t n : {12U, 0U, 3U, 4000000000U}) {
      instruction.constants =
          n == 12 ? std::vector<SpecializationConstant>{} : std::vector{SpecializationConstant{0, n}};
      SCOPED_TRACE(definition);
      check_whole<std::uint32_t>(
          instruction, [&](WordSpan) { return Words{oracle(n, -3)}; }, some_words);
    }
  }
}

TEST(MachineConstant, SignedInstructionsBetweenConstants) {
  Instruction instruction = words_from(4, R"(%p = OpBitcast %u32 %quotient
%q = OpBitcast %u32 %rest
%t = OpBitcast %u32 %narrowed
%o = OpBitcast %u32 %negated
%r = OpCompositeConstruct $R %p %q %t %o)",
                                       R"(%i8 = OpTypeInt 8 1
%two = OpConstant %i32 2
%s = OpSpecConstant %i32 -7
%quotient = OpSpecConstantOp %i32 SDiv %s %two
%rest = OpSpecConstantOp %i32 SRem %s %two
%byte = OpSpecConstantOp %i8 SConvert %s
%narrowed = OpSpecConstantOp %i32 SConvert %byte
%negated = OpSpecConstantOp %i32 SNegate %s)");
  instruction.decorations = "OpDecorate %s SpecId 1\n";
  for (const std::int32_t s : {-7, 9, 300, -129}) {
    instruction.constants = {{1, static_cast<std::uint32_t>(s)}};
    const auto word = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
    check_whole<std::uint32_t>(
        instruction,
        [&](WordSpan) {
          return Words{word(s / 2), word(s % 2), word(static_cast<std::int8_t>(static_cast<std::uint8_t>(s))),
                       word(-s)};
        },
        some_words);
  }
}

// Every thread fills an array of %n words with its input and their places, and adds them up from both ends.
TEST(MachineConstant, ArrayLengths) {
  for (const std::string storage : {"Function", "Private"}) {
    const auto variable = "%array = OpVariable %array_pointer " + storage + "\n";
    Instruction instruction = words_from(1, R"(%x = OpCompositeExtract %u32 %a 0
%y = OpCompositeExtract %u32 %a 1
%first_place = OpAccessChain %word_pointer %array %word_0
OpStore %first_place %x
%last_place = OpAccessChain %word_pointer %array %last
OpStore %last_place %y
%where = OpUMod %u32 %y %n
%where_place = OpAccessChain %word_pointer %array %where
%there = OpLoad %u32 %where_place
%whole = OpLoad %array_type %array
%begin = OpCompositeExtract %u32 %whole 0
%both = OpIAdd %u32 %begin %there
%r = OpCopyObject $R %both)",
                                         R"(%n = OpSpecConstant %u32 3
%last = OpSpecConstantOp %u32 ISub %n %word_1
%array_type = OpTypeArray %u32 %n
%null = OpConstantNull %array_type
%array_pointer = OpTypePointer )" + storage + " %array_type\n%word_pointer = OpTypePointer " +
                                             storage + " %u32\n");
    instruction.decorations = "OpDecorate %n SpecId 4\n";
    if (storage == "Function") {
      instruction.variables = variable;
      instruction.body = "OpStore %array %null\n" + instruction.body;
    } else {
      instruction.declarations += "%array = OpVariable %array_pointer Private %null\n";
      instruction.interface = " %array";
    }
    for (const std::uint32_t n : {3U, 1U, 17U}) {
      instruction.constants = {{4, n}};
      check_whole<std::uint32_t>(
          instruction,
          [n](WordSpan a) {
            Words array(n, 0);
            array[0] = a[0];
            array[n - 1] = a[1];
            return Words{array[0] + array[a[1] % n]};
          },
          some_words);
    }
  }
}

// `mode` and `declarations` say how large groups are; the constants are x = 2, y = 3, z = 1 unless others are wanted.
void check_group_size(const std::string& mode, const std::string& decorations, const std::string& declarations) {
  Instruction instruction{.body = "%r = OpIAdd $R %thread %a",
                          .result = {'u', 32},
                          .operands = {{'u', 32}},
                          .declarations = "%x = OpSpecConstant %u32 2\n%y = OpSpecConstant %u32 3\n" + declarations,
                          .decorations = "OpDecorate %x SpecId 0\nOpDecorate %y SpecId 1\n" + decorations};
  auto text = program_text(instruction);
  const auto fixed = fmt::format("OpExecutionMode %main LocalSize {} 1 1", group_threads);
  text.replace(text.find(fixed), fixed.size(), mode);
  const auto words = assemble(text);
  const auto size = [&](std::vector<SpecializationConstant> constants) {
    return must(machine::make_program(words, {.constants = std::move(constants)})).group_size;
  };
  EXPECT_EQ(size({}), (std::array<std::uint32_t, 3>{2, 3, 1}));
  EXPECT_EQ(size({{0, 40}}), (std::array<std::uint32_t, 3>{40, 3, 1}));
  EXPECT_EQ(size({{1, 1}, {0, 9}}), (std::array<std::uint32_t, 3>{9, 1, 1}));
  // 9 × 1 threads in each of 5 groups: each writes its number.
  for (const auto wave_size : wave_sizes) {
    std::vector<std::vector<std::byte>> buffers(2, std::vector<std::byte>(45 * sizeof(std::uint32_t)));
    run_module(words, {.constants = {{0, 9}, {1, 1}}, .wave_size = wave_size}, {5, 1, 1}, buffers);
    Words numbers(45);
    std::memcpy(numbers.data(), buffers[1].data(), buffers[1].size());
    for (std::uint32_t i = 0; i < numbers.size(); ++i) {
      EXPECT_EQ(numbers[i], i);
    }
  }
}

TEST(MachineConstant, GroupSizes) {
  check_group_size("OpExecutionModeId %main LocalSizeId %x %y %word_1", "", "");
  check_group_size("OpExecutionMode %main LocalSize 4 4 4", "OpDecorate %size BuiltIn WorkgroupSize\n",
                   "%size = OpSpecConstantComposite %v3u32 %x %y %word_1\n");
}

}  // namespace
}  // namespace crosslane::test
