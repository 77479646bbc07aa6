#include "compile/fault_probes.hpp"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compile/dxil_container.hpp"
#include "compile/spirv_questions.hpp"
#include "compile/spirv_words.hpp"
#include "spirv/parse.hpp"

namespace crosslane::compile {
namespace {

using spirv::Instruction;

/// What a probe's shader became; nothing where it did not compile.
using Bytes = std::optional<std::vector<std::byte>>;
using Words = std::optional<std::vector<std::uint32_t>>;

Bytes compile(const DxcLibrary& library, std::string_view source, const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"probe.hlsl", "-E", "main", "-HV", "2021"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  auto output = library.run(source, all);
  if (!output || !output->succeeded) {
    return std::nullopt;
  }
  return std::move(output->binary);
}

Words compile_spirv(const DxcLibrary& library, std::string_view source, const std::string& profile,
                    const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> all = {"-T", profile, "-spirv", "-fspv-target-env=vulkan1.2"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const auto bytes = compile(library, source, all);
  return bytes ? Words(words_of(*bytes)) : std::nullopt;
}

bool decorates(const Instruction& instruction, spv::Decoration decoration) {
  return instruction.opcode == spv::OpDecorate && instruction.words[2] == static_cast<std::uint32_t>(decoration);
}

bool declares_partitioned(const DxcLibrary& library) {
  const auto module = compile_spirv(library, R"(
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      values[thread.x] = WaveActiveSum(values[thread.x]);
    })",
                                    "cs_6_0");
  return module && any_instruction(*module, [](const Instruction& instruction) {
           return instruction.opcode == spv::OpCapability &&
                  instruction.words[1] == spv::CapabilityGroupNonUniformPartitionedNV;
         });
}

bool moves_wave_operations(const DxcLibrary& library) {
  const auto module = compile_spirv(library, breaking_loop_source, "cs_6_0");
  return module && counts_lanes_behind_loop(*module);
}

bool registers_share_bindings(const DxcLibrary& library) {
  const auto module = compile_spirv(library, R"(
    StructuredBuffer<uint> input : register(t0);
    RWStructuredBuffer<uint> output : register(u0);
    cbuffer Constants : register(b0) { uint offset; }
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      output[thread.x] = input[thread.x] + offset;
    })",
                                    "cs_6_0");
  return module && count_instructions(*module, [](const Instruction& instruction) {
                     return decorates(instruction, spv::DecorationBinding) && instruction.words[3] == 0;
                   }) > 1;
}

bool drops_wave_size(const DxcLibrary& library) {
  const auto module = compile_spirv(library, R"(
    RWStructuredBuffer<uint> values;
    [WaveSize(32)] [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      values[thread.x] = WaveGetLaneCount();
    })",
                                    "cs_6_6");
  return module && !any_instruction(*module, [](const Instruction& instruction) {
           return (instruction.opcode == spv::OpExecutionMode || instruction.opcode == spv::OpExecutionModeId) &&
                  instruction.words[2] == spv::ExecutionModeSubgroupSize;
         });
}

bool lacks_multi_prefix(const DxcLibrary& library) {
  return !compile_spirv(library, R"(
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      const uint value = values[thread.x];
      values[thread.x] = WaveMultiPrefixSum(value, WaveMatch(value));
    })",
                        "cs_6_5");
}

bool lacks_memory_model(const DxcLibrary& library) {
  const auto module = compile_spirv(library, R"(
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) { values[thread.x] = 1; })",
                                    "cs_6_0", {"-fspv-use-vulkan-memory-model"});
  return !module || !any_instruction(*module, [](const Instruction& instruction) {
    return instruction.opcode == spv::OpMemoryModel && instruction.words[2] == spv::MemoryModelVulkan;
  });
}

bool leaves_checksum_zero(const DxcLibrary& library) {
  const auto container = compile(library, R"(
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) { values[thread.x] = 1; })",
                                 {"-T", "cs_6_0"});
  return container && dxil_checksum_is_zero(*container);
}

bool contracts_floats(const DxcLibrary& library) {
  const auto module = compile_spirv(library, R"(
    RWStructuredBuffer<float> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      values[thread.x] = values[thread.x] * values[thread.x + 64] + values[thread.x + 128];
    })",
                                    "cs_6_0");
  return module && !any_instruction(*module, [](const Instruction& instruction) {
           return decorates(instruction, spv::DecorationNoContraction);
         });
}

struct Probe {
  FaultDescription description;
  bool (*look)(const DxcLibrary&);
};

constexpr std::array probes = {
    Probe{{"declares-partitioned", &Faults::declares_partitioned,
           "wave reduces declare GroupNonUniformPartitionedNV, which few drivers accept",
           "only Khronos' SPIR-V extensions are allowed; where that is too little, unused capabilities are trimmed"},
          declares_partitioned},
    Probe{{"moves-wave-operations", &Faults::moves_wave_operations,
           "the optimiser moves wave operations beside break behind the loop, where other lanes take part",
           "maximal reconvergence is asked for, which keeps them in their place"},
          moves_wave_operations},
    Probe{{"registers-share-bindings", &Faults::registers_share_bindings, "t0, u0 and b0 become one Vulkan binding",
           "each kind of register gets its own range of bindings"},
          registers_share_bindings},
    Probe{{"drops-wave-size", &Faults::drops_wave_size, "[WaveSize] vanishes from SPIR-V",
           "the lanes per wave are read from a second compilation to DXIL"},
          drops_wave_size},
    Probe{{"lacks-multi-prefix", &Faults::lacks_multi_prefix, "WaveMultiPrefix* cannot become SPIR-V",
           "such shaders are refused with the reason"},
          lacks_multi_prefix},
    Probe{{"lacks-memory-model", &Faults::lacks_memory_model, "SPIR-V is never written for the Vulkan memory model",
           "the GLSL450 memory model is used"},
          lacks_memory_model},
    Probe{{"leaves-checksum-zero", &Faults::leaves_checksum_zero, "DXIL containers have no checksum",
           "it is filled in after validation"},
          leaves_checksum_zero},
    Probe{{"contracts-floats", &Faults::contracts_floats,
           "drivers may make one rounding of a * b + c unless it is declared precise",
           "kernels that promise equal bytes are written with precise"},
          contracts_floats},
};

constexpr auto descriptions = [] {
  std::array<FaultDescription, probes.size()> result{};
  std::ranges::transform(probes, result.begin(), &Probe::description);
  return result;
}();

}  // namespace

std::span<const FaultDescription> fault_descriptions() { return descriptions; }

Faults find_faults(const DxcLibrary& library) {
  Faults faults;
  for (const Probe& probe : probes) {
    faults.*probe.description.seen = probe.look(library);
  }
  return faults;
}

}  // namespace crosslane::compile
