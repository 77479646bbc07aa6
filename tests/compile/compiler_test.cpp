// Compiles real sources with the build's compiler and looks at what comes out.
#include "compile/compiler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <thread>

#include "compile/bindings.hpp"
#include "compile/dxil_container.hpp"
#include "compile/spirv_questions.hpp"
#include "compile/spirv_words.hpp"
#include "compile/test_support.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::compile {
namespace {

using spirv::Instruction;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Result compiled(const Request& request) {
  auto result = test_compiler().compile(request);
  if (!result) {
    ADD_FAILURE() << text_of(result.error());
    return {};
  }
  return *std::move(result);
}

Error refused(const Request& request) {
  auto result = test_compiler().compile(request);
  if (result) {
    ADD_FAILURE() << "it compiled";
    return {};
  }
  return std::move(result.error());
}

bool has_opcode(const Result& result, spv::Op opcode) {
  return any_instruction(words_of(result.binary), [=](const Instruction& found) { return found.opcode == opcode; });
}

bool has_capability(const Result& result, spv::Capability capability) {
  return any_instruction(words_of(result.binary), [=](const Instruction& found) {
    return found.opcode == spv::OpCapability && found.words[1] == static_cast<std::uint32_t>(capability);
  });
}

const std::string good_source = shader_of("values[thread] = thread;");

TEST(Compiler, KnowsItself) {
  const Compiler& compiler = test_compiler();
  EXPECT_TRUE(std::filesystem::is_regular_file(compiler.library()));
  EXPECT_THAT(compiler.version(), testing::StartsWith("1."));
  EXPECT_THAT(compiler.commit(), Not(IsEmpty()));
  EXPECT_GT(compiler.commit_count(), 0U);
}

TEST(Compiler, MakesSpirvOfTextThatIsInNoFile) {
  const Result result = compiled(source_request(good_source));
  EXPECT_THAT(result.dependencies, IsEmpty());
  EXPECT_EQ(result.warnings, "");
  EXPECT_FALSE(result.wave_size);
  const auto words = words_of(result.binary);
  ASSERT_FALSE(words.empty());
  EXPECT_EQ(words.front(), spv::MagicNumber);
  EXPECT_TRUE(any_instruction(words, [](const Instruction& found) {
    return found.opcode == spv::OpExecutionMode && found.words[2] == spv::ExecutionModeMaximallyReconvergesKHR;
  }));
}

TEST(Compiler, AnErrorNamesFileAndLine) {
  const Error error = refused(source_request("RWStructuredBuffer<uint> values;\nuint x = missing;\n"));
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_THAT(error.message, HasSubstr("test.hlsl:2:10: use of undeclared identifier 'missing'"));
  EXPECT_THAT(error.reasons, ElementsAre(HasSubstr("uint x = missing;")));
}

TEST(Compiler, AnUnknownEntryPointIsNamed) {
  Request request = source_request(good_source);
  request.entry_point = "start";
  const Error error = refused(request);
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_THAT(error.message, HasSubstr("it has no function 'start' to start at"));
}

TEST(Compiler, AnotherEntryPointCanBeChosen) {
  Request request = source_request("[numthreads(1, 1, 1)] void start() {}\n");
  request.entry_point = "start";
  const auto reflection = spirv::reflect(words_of(compiled(request).binary), request.entry_point);
  ASSERT_TRUE(reflection);
  EXPECT_EQ(reflection->entry_point.name, "start");
}

TEST(Compiler, AProfileMustBeOfAComputeShader) {
  for (const char* const profile : {"", "cs", "cs_6", "cs_6_", "cs__2", "cs_6_2_1", "cs_6_x", "ps_6_0", "lib_6_3"}) {
    const Error error = refused(source_request(good_source, profile));
    EXPECT_EQ(error.code, ErrorCode::invalid_argument) << profile;
    EXPECT_THAT(error.message, HasSubstr("write one like cs_6_2")) << profile;
  }
}

TEST(Compiler, AProfileThatTheCompilerDoesNotKnowIsNamed) {
  const Error error = refused(source_request(good_source, "cs_9_9"));
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_THAT(error.message, HasSubstr("cs_9_9: this compiler does not know that profile"));
}

TEST(Compiler, AnArgumentThatTheCompilerDoesNotKnowIsNamed) {
  Request request = source_request(good_source);
  request.arguments = {"-no-such-option"};
  EXPECT_THAT(refused(request).message, HasSubstr("-no-such-option"));
}

TEST(Compiler, DefinesWithAndWithoutValueArrive) {
  Request request = source_request("#if defined(FLAG) && VALUE == 7\n" + good_source + "#endif\n");
  request.defines = {{"FLAG", ""}, {"VALUE", "7"}};
  EXPECT_THAT(compiled(request).binary, Not(IsEmpty()));
  request.defines.pop_back();
  EXPECT_THAT(refused(request).message, HasSubstr("no function 'main'"));
}

TEST(Compiler, WarningsAreHandedOver) {
  const Result result = compiled(source_request(shader_of("uint4 four = thread; values[thread] = four.xy;")));
  EXPECT_THAT(result.warnings, HasSubstr("test.hlsl:5"));
  EXPECT_THAT(result.warnings, HasSubstr("implicit truncation"));
}

TEST(Compiler, MakesDxilForOldAndNewShaderModels) {
  for (const char* const profile : {"cs_6_0", "cs_6_2", "cs_6_6"}) {
    const std::string source = shader_of("values[thread] = WaveReadLaneAt(values[thread], 1);");
    const Result result = compiled(source_request(source, profile, Target::dxil));
    EXPECT_TRUE(dxil_part(result.binary, "DXIL")) << profile;
    EXPECT_TRUE(dxil_part(result.binary, "PSV0")) << profile;
    EXPECT_EQ(result.warnings, "") << profile;
  }
}

TEST(Compiler, Types16AreRealFromShaderModel6_2On) {
  const std::string source = shader_of("values[thread] = uint(half(values[thread]) * half(1.5));");
  const auto is_half = [](const Instruction& found) {
    return found.opcode == spv::OpTypeFloat && found.words[2] == 16;
  };
  EXPECT_TRUE(any_instruction(words_of(compiled(source_request(source, "cs_6_2")).binary), is_half));
  EXPECT_FALSE(any_instruction(words_of(compiled(source_request(source, "cs_6_0")).binary), is_half));
  Request request = source_request(source, "cs_6_2");
  request.types16 = false;
  EXPECT_FALSE(any_instruction(words_of(compiled(request).binary), is_half));
}

TEST(Compiler, DebugInformationHoldsTheSourceAndItsLines) {
  Request request = source_request(good_source);
  EXPECT_FALSE(has_opcode(compiled(request), spv::OpExtInst));
  request.debug_info = true;
  const auto words = words_of(compiled(request).binary);
  bool names_file = false;
  bool holds_source = false;
  std::size_t lines = 0;
  ASSERT_TRUE(spirv::parse(words, [&](const Instruction& found) -> Expected<void> {
    if (found.opcode == spv::OpString) {
      const std::string text = spirv::text_of(found.words.subspan(2));
      names_file = names_file || text == "test.hlsl";
      holds_source = holds_source || text.find("values[thread] = thread;") != std::string::npos;
    }
    constexpr std::uint32_t debug_line = 103;
    lines += found.opcode == spv::OpExtInst && found.words[4] == debug_line ? 1 : 0;
    return {};
  }));
  EXPECT_TRUE(names_file);
  EXPECT_TRUE(holds_source);
  EXPECT_GT(lines, 0U);
}

TEST(Compiler, DxilCanHoldDebugInformation) {
  Request request = source_request(good_source, "cs_6_0", Target::dxil);
  EXPECT_FALSE(dxil_part(compiled(request).binary, "ILDB"));
  request.debug_info = true;
  EXPECT_TRUE(dxil_part(compiled(request).binary, "ILDB"));
}

TEST(Compiler, ReadsTheWaveSizeThatSpirvLoses) {
  const auto sizes = [](const char* attribute, const char* profile, Target target) {
    return compiled(source_request(shader_of("values[thread] = WaveGetLaneCount();", attribute), profile, target))
        .wave_size;
  };
  for (const Target target : {Target::spirv, Target::dxil}) {
    const auto one = sizes("[WaveSize(32)]\n", "cs_6_6", target);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->minimum, 32U);
    EXPECT_EQ(one->maximum, 32U);
    const auto range = sizes("[WaveSize(16, 64, 32)]\n", "cs_6_8", target);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->minimum, 16U);
    EXPECT_EQ(range->maximum, 64U);
    EXPECT_FALSE(sizes("", "cs_6_6", target));
  }
}

TEST(Compiler, SaysWhenTheWaveSizeCannotBeRead) {
  // An instruction that only SPIR-V has, so that the source has no DXIL to read the attribute from.
  const std::string source =
      "[[vk::ext_capability(65)]] [[vk::ext_instruction(345)]] uint shuffle(uint scope, uint value, uint lane);\n" +
      shader_of("values[thread] = shuffle(3, values[thread], 1);", "[WaveSize(32)]\n");
  const Result result = compiled(source_request(source, "cs_6_6"));
  EXPECT_FALSE(result.wave_size);
  EXPECT_THAT(result.warnings, HasSubstr("the lanes per wave of [WaveSize] are unknown"));
}

TEST(Compiler, WaveReducesNeedNoPartitionedCapability) {
  const Result result = compiled(source_request(shader_of("values[thread] = WaveActiveSum(values[thread]);")));
  EXPECT_TRUE(has_opcode(result, spv::OpGroupNonUniformIAdd));
  EXPECT_FALSE(has_capability(result, spv::CapabilityGroupNonUniformPartitionedNV));
}

TEST(Compiler, WaveMatchKeepsTheCapabilityThatItNeeds) {
  const Result result = compiled(source_request(shader_of("values[thread] = WaveMatch(values[thread]).x;"), "cs_6_5"));
  EXPECT_TRUE(has_opcode(result, spv::OpGroupNonUniformPartitionNV));
  EXPECT_TRUE(has_capability(result, spv::CapabilityGroupNonUniformPartitionedNV));
}

TEST(Compiler, OtherExtensionsDoNotBringTheUnusedCapabilityBack) {
  // Not one of Khronos' extensions, so that the restriction to those must be given up; what is unused is trimmed.
  const std::string source = R"(
    [[vk::ext_extension("SPV_EXT_shader_stencil_export")]] )" +
                             shader_of("values[thread] = WaveActiveSum(values[thread]);");
  const Result result = compiled(source_request(source));
  EXPECT_TRUE(has_opcode(result, spv::OpGroupNonUniformIAdd));
  EXPECT_FALSE(has_capability(result, spv::CapabilityGroupNonUniformPartitionedNV));
}

TEST(Compiler, MultiPrefixIsRefusedOnSpirvWithTheReason) {
  const std::string source =
      shader_of("values[thread] = WaveMultiPrefixSum(values[thread], WaveMatch(values[thread]));");
  const Error error = refused(source_request(source, "cs_6_5"));
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_THAT(error.message, HasSubstr("test.hlsl"));
  EXPECT_THAT(error.message, HasSubstr("WaveMultiPrefix*"));
  EXPECT_THAT(error.message, HasSubstr("compile it to DXIL"));
  EXPECT_THAT(compiled(source_request(source, "cs_6_5", Target::dxil)).binary, Not(IsEmpty()));
}

TEST(Compiler, WaveOperationsStayBesideTheirBreak) {
  const std::string inside = R"(
    for (uint i = 0;; ++i) {
      if (i == values[thread]) { values[thread] = WaveActiveCountBits(true); break; }
    })";
  EXPECT_FALSE(counts_lanes_behind_loop(words_of(compiled(source_request(shader_of(inside))).binary)));
  // The question can be answered with yes: here the source counts behind the loop.
  const std::string behind = R"(
    uint i = 0;
    while (i != values[thread]) { ++i; }
    values[thread] = WaveActiveCountBits(true);)";
  EXPECT_TRUE(counts_lanes_behind_loop(words_of(compiled(source_request(shader_of(behind))).binary)));
}

std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> bindings_of(const Request& request) {
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> places;
  const auto reflection = spirv::reflect(words_of(compiled(request).binary), request.entry_point);
  EXPECT_TRUE(reflection);
  if (reflection) {
    for (const auto& resource : reflection->bindings) {
      places[resource.name] = {resource.set, resource.slot};
    }
  }
  return places;
}

const std::string registers_source = R"(
    StructuredBuffer<uint> input : register(t0);
    StructuredBuffer<uint> table : register(t2, space3);
    RWStructuredBuffer<uint> output : register(u0);
    cbuffer Constants : register(b0) { uint offset; }
    Texture2D<float> image : register(t1);
    SamplerState smooth : register(s1);
    [[vk::binding(9, 1)]] RWStructuredBuffer<uint> pinned : register(u1);
    RWStructuredBuffer<uint> anywhere;
    [numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
      output[id.x] = input[id.x] + table[0] + offset + uint(image.SampleLevel(smooth, float2(0, 0), 0));
      pinned[id.x] = 1;
      anywhere[id.x] = 1;
    })";

TEST(Compiler, RegistersOfDifferentKindsDoNotCollide) {
  const auto places = bindings_of(source_request(registers_source));
  using Place = std::pair<std::uint32_t, std::uint32_t>;
  const auto place = [](std::uint32_t set, RegisterKind kind, std::uint32_t number) {
    return Place{set, binding_of(kind, number)};
  };
  EXPECT_EQ(places.at("input"), place(0, RegisterKind::t, 0));
  EXPECT_EQ(places.at("table"), place(3, RegisterKind::t, 2));
  EXPECT_EQ(places.at("image"), place(0, RegisterKind::t, 1));
  EXPECT_EQ(places.at("output"), place(0, RegisterKind::u, 0));
  EXPECT_EQ(places.at("Constants"), place(0, RegisterKind::b, 0));
  EXPECT_EQ(places.at("smooth"), place(0, RegisterKind::s, 1));
  EXPECT_EQ(places.at("pinned"), (Place{1, 9})) << "[[vk::binding]] wins";
  EXPECT_EQ(places.at("anywhere").second / registers_per_kind, 3U) << "without a register it still is of kind u";
}

TEST(Compiler, ShiftsThatTheCallerGivesReplaceOurs) {
  Request request = source_request(registers_source);
  request.arguments = {"-fvk-t-shift", "50", "0"};
  const auto places = bindings_of(request);
  EXPECT_EQ(places.at("input").second, 50U);
  EXPECT_EQ(places.at("output").second, binding_of(RegisterKind::u, 0));
}

TEST(Compiler, OtherLayoutsAreValidatedByTheirOwnRules) {
  Request request = source_request(R"(
    struct Packed { float a; float3 b; };
    RWStructuredBuffer<Packed> packed;
    [numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) { packed[id.x].b.x += packed[id.x].a; })");
  request.arguments = {"-fvk-use-dx-layout"};
  EXPECT_THAT(compiled(request).binary, Not(IsEmpty()));
}

TEST(Compiler, MakesSpirvForEachEnvironment) {
  const std::map<std::string, std::uint32_t> versions = {
      {"vulkan1.1", 0x10300}, {"vulkan1.1spirv1.4", 0x10400}, {"vulkan1.2", 0x10500}, {"vulkan1.3", 0x10600}};
  for (const auto& [environment, version] : versions) {
    Request request = source_request(shader_of("values[thread] = WaveActiveSum(values[thread]);"));
    request.spirv_environment = environment;
    const auto words = words_of(compiled(request).binary);
    ASSERT_GT(words.size(), 1U) << environment;
    EXPECT_EQ(words[1], version) << environment;
  }
  Request request = source_request(good_source);
  request.spirv_environment = "vulkan9.9";
  EXPECT_THAT(refused(request).message, HasSubstr("vulkan9.9"));
}

TEST(Compiler, ManyThreadsGetWhatOneGets) {
  const auto source = [](std::size_t i) {
    return shader_of("values[thread] = WaveActiveSum(values[thread]) + " + std::to_string(i) + ";");
  };
  constexpr std::size_t count = 8;
  std::array<std::vector<std::byte>, count> alone;
  for (std::size_t i = 0; i < count; ++i) {
    alone.at(i) = compiled(source_request(source(i))).binary;
  }
  // A compiler that nobody has used yet, so that its faults are looked for by all threads at once.
  const auto fresh = load_compiler(test_compiler().library());
  ASSERT_TRUE(fresh);
  std::array<std::vector<std::byte>, count> together;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      for (int repeat = 0; repeat < 5; ++repeat) {
        if (auto result = (*fresh)->compile(source_request(source(i)))) {
          together.at(i) = std::move(result->binary);
        }
        static_cast<void>((*fresh)->compile(source_request("error")));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(together, alone);
}

}  // namespace
}  // namespace crosslane::compile
