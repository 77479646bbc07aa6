// Checks small GLSL shaders.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "compile/glsl.hpp"
#include "crosslane/check.hpp"
#include "support/expected.hpp"

namespace crosslane::test {

struct ShaderCase {
  std::string body;  ///< statements of main(); `i` is the thread in its group, `lane` its lane, `W` the wave size
  std::string size = "local_size_x = 64";
  std::string declarations = {};
  GroupCount groups = {1, 1, 1};
  std::vector<std::uint32_t> wave_sizes = {4, 32, 64};
  Rules rules = Rules::vulkan;
  bool vulkan_memory_model = false;
  std::uint32_t words = 1024;  ///< in each buffer
};

/// words[] is a buffer, more[] another one, both_see[] a coherent one, tile[1024] groupshared memory. words[] begins as
/// 0, 1, 2, …, the others with zeros.
inline CheckReport check_shader(const ShaderCase& one) {
  const std::string text =
      "#version 460\n"
      "#extension GL_KHR_shader_subgroup_basic : require\n"
      "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n"
      "#extension GL_KHR_shader_subgroup_shuffle : require\n"
      "#extension GL_KHR_shader_subgroup_shuffle_relative : require\n"
      "#extension GL_KHR_shader_subgroup_vote : require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n" +
      std::string(one.vulkan_memory_model ? "#pragma use_vulkan_memory_model\n" : "") + "layout(" + one.size +
      ") in;\n"
      "layout(binding = 0) buffer Words { uint words[]; };\n"
      "layout(binding = 1) buffer More { uint more[]; };\n"
      "layout(binding = 2) coherent buffer Shared { uint both_see[]; };\n"
      "shared uint tile[1024];\n" +
      one.declarations +
      "\nvoid main() {\n"
      "const uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, W = gl_SubgroupSize;\n"
      "const uint g = gl_WorkGroupID.x;\n" +
      one.body + "\n}\n";
  compile::GlslRequest source;
  source.file = "test.comp";
  source.source = text;
  const auto words = must(compile::compile_glsl(source)).words;
  CheckRequest request{.spirv = words, .name = "test.comp", .groups = one.groups};
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    std::vector<std::uint32_t> data(one.words);
    for (std::uint32_t n = 0; n < one.words && slot == 0; ++n) {
      data[n] = n;
    }
    const auto bytes = std::as_bytes(std::span(data));
    request.resources.push_back({.name = "binding",
                                 .slot = slot,
                                 .bytes = std::vector<std::byte>(bytes.begin(), bytes.end()),
                                 .output = true,
                                 .may_vary = true});
  }
  return must(check(request, {.wave_sizes = one.wave_sizes, .rules = one.rules, .most_iterations = 1U << 20U}));
}

/// "id severity" of all findings, without repeats.
inline std::set<std::string> faults(const CheckReport& report) {
  std::set<std::string> all;
  for (const auto& finding : report.findings) {
    all.insert(finding.id + " " + std::string(name(finding.severity)));
  }
  return all;
}

inline std::set<std::string> faults(const ShaderCase& one) { return faults(check_shader(one)); }

}  // namespace crosslane::test
