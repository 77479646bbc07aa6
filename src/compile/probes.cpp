#include "compile/probes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "compile/fault_probes.hpp"
#include "compile/messages.hpp"
#include "compile/spirv_words.hpp"
#include "spirv/parse.hpp"

namespace crosslane::compile {
namespace {

using spirv::Instruction;

/// Whether any instruction of the module is such.
bool any_instruction(const Result& result, const std::function<bool(const Instruction&)>& is_such) {
  bool found = false;
  const auto words = words_of(result.binary);
  const auto parsed = spirv::parse(words, [&](const Instruction& instruction) -> Expected<void> {
    found = found || is_such(instruction);
    return {};
  });
  return parsed && found;
}

bool has_opcode(const Result& result, spv::Op opcode) {
  return any_instruction(result, [opcode](const Instruction& instruction) { return instruction.opcode == opcode; });
}

bool has_type(const Result& result, spv::Op opcode, std::uint32_t bits) {
  return any_instruction(result, [opcode, bits](const Instruction& instruction) {
    return instruction.opcode == opcode && instruction.words[2] == bits;
  });
}

bool has_mode(const Result& result, spv::ExecutionMode mode) {
  return any_instruction(result, [mode](const Instruction& instruction) {
    return instruction.opcode == spv::OpExecutionMode && instruction.words[2] == static_cast<std::uint32_t>(mode);
  });
}

bool has_lines(const Result& result) {
  constexpr std::string_view instruction_set = "NonSemantic.Shader.DebugInfo.100";
  return any_instruction(result, [](const Instruction& instruction) {
    return instruction.opcode == spv::OpExtInstImport &&
           spirv::text_of(instruction.words.subspan(2)) == instruction_set;
  });
}

/// A shader whose lanes hand a value to each other with one native instruction.
std::string shuffle_source(int capability, int instruction) {
  return fmt::format(R"(
    template <typename T>
    [[vk::ext_capability({})]] [[vk::ext_instruction({})]] T native_shuffle(uint scope, T value, uint lane);
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {{
      values[thread.x] = native_shuffle(3u, values[thread.x], 1u);
    }})",
                     capability, instruction);
}

Request request_of(std::string source, std::string profile = "cs_6_0", Target target = Target::spirv) {
  Request request;
  request.file = "probe.hlsl";
  request.source = std::move(source);
  request.profile = std::move(profile);
  request.target = target;
  return request;
}

Request with_debug_info(Request request) {
  request.debug_info = true;
  return request;
}

struct Need {
  std::string_view name;
  std::string_view meaning;
  Request request;
  std::function<bool(const Result&)> holds;
};

Need shuffle_need(std::string_view name, int capability, spv::Op opcode) {
  return {name, "a lane shuffle is one native instruction on Vulkan", request_of(shuffle_source(capability, opcode)),
          [opcode](const Result& result) { return has_opcode(result, opcode); }};
}

std::vector<Need> needs() {
  constexpr int shuffle = spv::CapabilityGroupNonUniformShuffle;
  constexpr int relative = spv::CapabilityGroupNonUniformShuffleRelative;
  std::vector<Need> result;
  result.push_back({"hlsl-2021-templates", "the HLSL library is written with HLSL 2021's templates and select()",
                    request_of(R"(
    template <typename T> struct Doubler { static T apply(T value) { return value + value; } };
    template <> struct Doubler<bool> { static bool apply(bool value) { return value; } };
    template <typename T> T doubled(T value) { return Doubler<T>::apply(value); }
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      values[thread.x] = select(doubled(thread.x > 3), doubled(thread.x), doubled(values[thread.x]));
    })"),
                    [](const Result& compiled) { return has_opcode(compiled, spv::OpSelect); }});
  result.push_back(shuffle_need("native-shuffle", shuffle, spv::OpGroupNonUniformShuffle));
  result.push_back(shuffle_need("native-shuffle-xor", shuffle, spv::OpGroupNonUniformShuffleXor));
  result.push_back(shuffle_need("native-shuffle-up", relative, spv::OpGroupNonUniformShuffleUp));
  result.push_back(shuffle_need("native-shuffle-down", relative, spv::OpGroupNonUniformShuffleDown));
  result.push_back(
      {"maximal-reconvergence", "wave operations beside break and continue stay where the source has them",
       request_of(R"(
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      values[thread.x] = WaveActiveCountBits(values[thread.x] > 3);
    })"),
       [](const Result& compiled) { return has_mode(compiled, spv::ExecutionModeMaximallyReconvergesKHR); }});
  result.push_back({"dxil", "binaries for DirectX 12, and the lanes per wave of [WaveSize]",
                    request_of(R"(
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      values[thread.x] = WaveReadLaneAt(values[thread.x], 1);
    })",
                               "cs_6_0", Target::dxil),
                    [](const Result& compiled) { return !compiled.binary.empty(); }});
  result.push_back({"16-bit-types", "shuffles of 16-bit integers and floats",
                    request_of(R"(
    RWStructuredBuffer<uint16_t> integers;
    RWStructuredBuffer<half> floats;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      integers[thread.x] += uint16_t(1);
      floats[thread.x] += half(1);
    })",
                               "cs_6_2"),
                    [](const Result& compiled) {
                      return has_type(compiled, spv::OpTypeInt, 16) && has_type(compiled, spv::OpTypeFloat, 16);
                    }});
  result.push_back({"64-bit-types", "shuffles and reductions of 64-bit integers and floats", request_of(R"(
    RWStructuredBuffer<uint64_t> integers;
    RWStructuredBuffer<double> floats;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
      integers[thread.x] += 1;
      floats[thread.x] += 1;
    })"),
                    [](const Result& compiled) {
                      return has_type(compiled, spv::OpTypeInt, 64) && has_type(compiled, spv::OpTypeFloat, 64);
                    }});
  result.push_back({"source-lines", "findings that name the line of the source", with_debug_info(request_of(R"(
    RWStructuredBuffer<uint> values;
    [numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) { values[thread.x] += 1; })")),
                    has_lines});
  return result;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The third part of a release's version, "1.8.2407.12": year and month; 0 for a build from source, "1.8.0.4597".
std::uint32_t release_of(std::string_view version) {
  std::uint32_t parts[3] = {};  // NOLINT(modernize-avoid-c-arrays,cppcoreguidelines-avoid-c-arrays)
  const char* at = version.data();
  const char* const end = at + version.size();
  for (std::uint32_t& part : parts) {
    const auto [stopped, error] = std::from_chars(at, end, part);
    if (error != std::errc{}) {
      return 0;
    }
    at = stopped != end ? stopped + 1 : end;
  }
  return parts[2];
}

std::vector<std::string_view> failed_names(const std::vector<ProbeResult>& probes) {
  std::vector<std::string_view> names;
  for (const ProbeResult& probe : probes) {
    if (!probe.passed) {
      names.emplace_back(probe.name);
    }
  }
  return names;
}

}  // namespace

bool CompilerReport::fit() const { return failed_names(needs).empty(); }

std::vector<ProbeResult> examine_needs(const std::function<Expected<Result>(const Request&)>& compile) {
  std::vector<ProbeResult> results;
  for (const Need& need : needs()) {
    ProbeResult probe{std::string(need.name), false, std::string(need.meaning), {}};
    const auto compiled = compile(need.request);
    if (!compiled) {
      probe.detail = compiled.error().message;
    } else if (!need.holds(*compiled)) {
      probe.detail = "it compiles, but the binary does not hold what was asked for";
    } else {
      probe.passed = true;
    }
    results.push_back(std::move(probe));
  }
  return results;
}

std::string standing(std::string_view version, std::uint32_t commit_count, const std::vector<ProbeResult>& needs,
                     const std::vector<ProbeResult>& faults) {
  // A release says year and month; a build from source has 0 there and counts commits.
  const std::uint32_t release = release_of(version);
  const bool recent = release != 0 ? release >= 2407 : commit_count >= commit_count_of_1_8_2407;
  const auto missing = failed_names(needs);
  const auto workarounds = failed_names(faults);
  return fmt::format(
      "{} 1.8.2407, {}, workarounds: {}", recent ? "at least" : "below",
      missing.empty() ? "accepted by probes" : fmt::format("refused by probes ({})", fmt::join(missing, ", ")),
      workarounds.empty() ? "none" : fmt::format("{}", fmt::join(workarounds, ", ")));
}

Expected<void> require_fit(const std::filesystem::path& library, std::string_view version,
                           const std::vector<ProbeResult>& needs) {
  std::vector<std::string> reasons;
  for (const ProbeResult& need : needs) {
    if (!need.passed) {
      reasons.push_back(fmt::format("{} ({}): {}", need.name, need.meaning, first_line(need.detail)));
    }
  }
  if (reasons.empty()) {
    return {};
  }
  return fail(ErrorCode::compiler,
              fmt::format("the DirectX Shader Compiler '{}' (version {}) is unfit, it fails {}: {}", library.string(),
                          version.empty() ? "unknown" : version, fmt::join(failed_names(needs), ", "), mend),
              std::move(reasons));
}

CompilerReport examine(const Compiler& compiler) {
  CompilerReport report;
  report.library = compiler.library();
  report.version = compiler.version();
  report.commit = compiler.commit();
  report.commit_count = compiler.commit_count();
  report.needs = examine_needs([&compiler](const Request& request) { return compiler.compile(request); });
  for (const FaultDescription& fault : fault_descriptions()) {
    const bool seen = compiler.faults().*fault.seen;
    report.faults.push_back(
        {std::string(fault.name), !seen, fmt::format("{}: {}", fault.what, fault.workaround), seen ? "seen" : ""});
  }
  report.standing = standing(report.version, report.commit_count, report.needs, report.faults);
  return report;
}

}  // namespace crosslane::compile
