#include "compile/need_probes.hpp"

#include <fmt/format.h>

#include <spirv/unified1/spirv.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

#include "compile/fault_probes.hpp"
#include "compile/spirv_questions.hpp"
#include "compile/spirv_words.hpp"
#include "spirv/parse.hpp"

namespace crosslane::compile {
namespace {

using spirv::Instruction;
using Words = std::vector<std::uint32_t>;

struct Need {
  std::string_view name;
  std::string_view meaning;
  Request request;
  /// Whether the SPIR-V holds what was asked for; empty for DXIL.
  std::function<bool(const Words&)> holds;
};

bool has_opcode(const Words& words, spv::Op opcode) {
  return any_instruction(words, [opcode](const Instruction& instruction) { return instruction.opcode == opcode; });
}

/// Integer and float types of that many bits.
bool has_types(const Words& words, std::uint32_t bits) {
  const auto has = [&](spv::Op opcode) {
    return any_instruction(words, [&](const Instruction& instruction) {
      return instruction.opcode == opcode && instruction.words[2] == bits;
    });
  };
  return has(spv::OpTypeInt) && has(spv::OpTypeFloat);
}

bool reconverges_maximally(const Words& words) {
  const bool asks = any_instruction(words, [](const Instruction& instruction) {
    return instruction.opcode == spv::OpExecutionMode &&
           instruction.words[2] == static_cast<std::uint32_t>(spv::ExecutionModeMaximallyReconvergesKHR);
  });
  return asks && !counts_lanes_behind_loop(words);
}

bool has_source_lines(const Words& words) {
  return any_instruction(words, [](const Instruction& instruction) {
    return instruction.opcode == spv::OpExtInstImport &&
           spirv::text_of(instruction.words.subspan(2)) == "NonSemantic.Shader.DebugInfo.100";
  });
}

Request request_of(std::string_view source, std::string profile = "cs_6_0", Target target = Target::spirv) {
  Request request;
  request.file = "probe.hlsl";
  request.source = std::string(source);
  request.profile = std::move(profile);
  request.target = target;
  return request;
}

/// A lane shuffle written as one native instruction must become that instruction.
Need shuffle_need(std::string_view name, spv::Capability capability, spv::Op opcode) {
  const std::string source = fmt::format(R"(
    template <typename T>
    [[vk::ext_capability({})]] [[vk::ext_instruction({})]] T native_shuffle(uint scope, T value, uint lane);
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {{
      values[thread.x] = native_shuffle(3u, values[thread.x], 1u);
    }})",
                                         static_cast<int>(capability), static_cast<int>(opcode));
  return {name, "a lane shuffle is one native instruction on Vulkan", request_of(source),
          [opcode](const Words& words) { return has_opcode(words, opcode); }};
}

constexpr std::string_view templates_source = R"(
  template <typename T> struct Doubler { static T apply(T value) { return value + value; } };
  template <> struct Doubler<bool> { static bool apply(bool value) { return value; } };
  template <typename T> T doubled(T value) { return Doubler<T>::apply(value); }
  RWStructuredBuffer<uint> values;
  [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
    values[thread.x] = select(doubled(thread.x > 3), doubled(thread.x), doubled(values[thread.x]));
  })";

constexpr std::string_view dxil_source = R"(
  RWStructuredBuffer<uint> values;
  [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
    values[thread.x] = WaveReadLaneAt(values[thread.x], 1);
  })";

constexpr std::string_view types16_source = R"(
  RWStructuredBuffer<uint16_t> integers;
  RWStructuredBuffer<half> floats;
  [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
    integers[thread.x] += uint16_t(1);
    floats[thread.x] += half(1);
  })";

constexpr std::string_view types64_source = R"(
  RWStructuredBuffer<uint64_t> integers;
  RWStructuredBuffer<double> floats;
  [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
    integers[thread.x] += 1;
    floats[thread.x] += 1;
  })";

std::vector<Need> needs() {
  Need lines = {"source-lines", "findings name the line of the source", request_of(dxil_source), has_source_lines};
  lines.request.debug_info = true;
  return {
      {"hlsl-2021-templates", "the HLSL library is made of HLSL 2021's templates and select()",
       request_of(templates_source), [](const Words& words) { return has_opcode(words, spv::OpSelect); }},
      shuffle_need("native-shuffle", spv::CapabilityGroupNonUniformShuffle, spv::OpGroupNonUniformShuffle),
      shuffle_need("native-shuffle-xor", spv::CapabilityGroupNonUniformShuffle, spv::OpGroupNonUniformShuffleXor),
      shuffle_need("native-shuffle-up", spv::CapabilityGroupNonUniformShuffleRelative, spv::OpGroupNonUniformShuffleUp),
      shuffle_need("native-shuffle-down", spv::CapabilityGroupNonUniformShuffleRelative,
                   spv::OpGroupNonUniformShuffleDown),
      {"maximal-reconvergence", "wave operations beside break stay where the source has them",
       request_of(breaking_loop_source), reconverges_maximally},
      {"dxil", "DirectX 12, and the lanes per wave of [WaveSize]", request_of(dxil_source, "cs_6_0", Target::dxil), {}},
      {"16-bit-types", "shuffles of 16-bit integers and floats", request_of(types16_source, "cs_6_2"),
       [](const Words& words) { return has_types(words, 16); }},
      {"64-bit-types", "shuffles and reductions of 64-bit integers and floats", request_of(types64_source),
       [](const Words& words) { return has_types(words, 64); }},
      std::move(lines),
  };
}

}  // namespace

std::vector<ProbeResult> examine_needs(const std::function<Expected<Result>(const Request&)>& compile) {
  std::vector<ProbeResult> results;
  for (const Need& need : needs()) {
    ProbeResult probe{std::string(need.name), false, std::string(need.meaning), {}};
    const auto compiled = compile(need.request);
    if (!compiled) {
      probe.detail = compiled.error().message;
    } else if (need.holds && !need.holds(words_of(compiled->binary))) {
      probe.detail = "it compiles, but the binary does not hold what was asked for";
    } else {
      probe.passed = true;
    }
    results.push_back(std::move(probe));
  }
  return results;
}

}  // namespace crosslane::compile
