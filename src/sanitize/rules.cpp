#include <algorithm>
#include <array>

#include "crosslane/check.hpp"

namespace crosslane {
namespace {

constexpr std::array table = {
    RuleText{"lane-out-of-range",
             "A shuffle or WaveReadLaneAt reads a lane that the wave has; else its value is undefined. It is reported "
             "where the value is stored to a buffer, branched on, used as an address or by an atomic.",
             "sum += subgroupShuffleDown(sum, 16);  // in a wave of 8 lanes\no[i] = sum;",
             "Use the value only in lanes whose source lane exists, or start from the real wave size.",
             "SPIR-V 1.6, 3.52.21 (OpGroupNonUniformShuffle); HLSL, WaveReadLaneAt"},
    RuleText{"lane-inactive",
             "A shuffle reads a lane that runs it too. Lanes that went another way, have ended, or never were (in a "
             "partly filled wave) give undefined values.",
             "if (lane % 2 == 0) o[i] = WaveReadLaneAt(v, lane + 1);",
             "Move the wave operation out of the branch, and select afterwards.",
             "SPIR-V 1.6, 3.52.21; HLSL, WaveReadLaneAt"},
    RuleText{"non-uniform-broadcast", "The lane that OpGroupNonUniformBroadcast reads is the same in all active lanes.",
             "o[i] = subgroupBroadcast(v, lane ^ 1);", "Use a shuffle.",
             "SPIR-V 1.6, 3.52.21 (OpGroupNonUniformBroadcast)"},
    RuleText{
        "groupshared-race",
        "Two threads access the same groupshared memory, one of them writes, and a barrier or an atomic orders the "
        "two. Writes of different values that nobody reads do no harm.",
        "s[i] = v;\no[i] = s[i ^ 1];  // a barrier is missing",
        "GroupMemoryBarrierWithGroupSync() or barrier() between the two.",
        "Vulkan, Memory Model (data races); HLSL, GroupMemoryBarrierWithGroupSync"},
    RuleText{
        "global-race",
        "Two threads access the same place of a buffer or texel of an image, one of them writes, and nothing orders "
        "the two: neither a "
        "barrier that names buffers (one for groupshared memory does not) nor, between thread groups, atomics with "
        "fences around them.",
        "results[group] = sum;\nInterlockedAdd(finished[0], 1, n);  // a DeviceMemoryBarrier() before it is missing",
        "Fences before the atomic that tells and after the one that sees it; or two dispatches.",
        "Vulkan, Memory Model; HLSL, DeviceMemoryBarrier"},
    RuleText{
        "missing-coherent",
        "What one thread group writes and another one sees is declared globallycoherent (HLSL) or coherent (GLSL).",
        "RWStructuredBuffer<uint> partials;  // globallycoherent is missing", "Declare it so.",
        "HLSL, globallycoherent; Vulkan, Memory Model (availability and visibility)"},
    RuleText{"barrier-divergence", "All threads of a group meet at the same barrier.",
             "if (i >= count) return;\nGroupMemoryBarrierWithGroupSync();",
             "Move the barrier out of the branch or loop, or make the condition the same for the whole group.",
             "SPIR-V 1.6, 3.52.20 (OpControlBarrier); HLSL, GroupMemoryBarrierWithGroupSync"},
    RuleText{"no-progress",
             "A loop ends, and a thread group waits only for what certainly happens: no order of groups is promised, "
             "nor that one which "
             "has not begun will begin while another one waits.",
             "while (flags[group - 1] == 0) {}  // the group before may not have begun",
             "Number the groups by an atomic as they begin, and wait for lower numbers only.",
             "Vulkan, Shader Execution (forward progress)"},
    RuleText{"uninitialized-read",
             "Groupshared memory and variables are written before they are read, wherever the value matters.",
             "groupshared uint total;\nInterlockedAdd(total, v);  // nobody set it to 0",
             "Write first, with a barrier between.", "SPIR-V 1.6, 2.16 (OpUndef); HLSL, groupshared"},
    RuleText{"buffer-out-of-bounds",
             "Accesses lie inside of their buffer, image, groupshared memory or array. Direct3D defines those to "
             "buffers and "
             "images: reads give 0, writes are dropped. Vulkan drops writes outside of images.",
             "o[i] = a[i + 1];  // in the last thread", "Compare the index with the length, or clamp it.",
             "Vulkan, Robust Buffer Access, Texel Output Validation; Direct3D 11.3 functional specification, 7.18"},
    RuleText{
        "undefined-arithmetic",
        "Shifts are by less than the width, divisors are not 0, floats fit the integer they are converted to, and in "
        "Vulkan signed remainders are of and by numbers that are not negative, wherever the value matters.",
        "uint below = (1u << lane) - 1;  // from lane 32 on", "Mask the amount, test the divisor, clamp the float.",
        "SPIR-V 1.6, 3.52.13 and 3.52.14; Vulkan, precision and operation of SPIR-V instructions"},
    RuleText{"wave-size-dependent", "The outputs are the same at every wave size, or declared otherwise (--may-vary).",
             "uint waves = 180 / WaveGetLaneCount();  // rounds down",
             "Start from the real wave size, round up, size arrays for the smallest waves.", "This project"},
    RuleText{"schedule-dependent",
             "The outputs do not depend on the order in which lanes, waves and groups run, or are declared so "
             "(--unordered).",
             "InterlockedAdd(count[0], 1, place);\no[place] = v;", "Compute places by a scan, or declare the output.",
             "This project"},
    RuleText{"mapping-dependent", "The outputs do not depend on which threads make up a wave.",
             "uint wave = SV_GroupIndex / WaveGetLaneCount();",
             "Take the wave's number from the device, or number waves by an atomic.",
             "HLSL, wave intrinsics (no mapping is promised)"},
    RuleText{"reconvergence-dependent",
             "Wave operations do not count on lanes meeting again where nothing promises it. SPIR-V promises it at the "
             "end of what a whole thread group entered; what drivers with VK_KHR_shader_subgroup_uniform_control_flow "
             "promise beyond that, at the end of what a whole wave entered, is a note.",
             "if (a) { if (b) x(); else y(); n = subgroupAdd(1); }",
             "Ask for maximal reconvergence, or move the wave operation to where the whole wave is.",
             "SPV_KHR_subgroup_uniform_control_flow, SPV_KHR_maximal_reconvergence"},
    RuleText{
        "reported-size-dependent",
        "Only with --lying-size: the outputs do not depend on the wave size that the device reports. Some report a "
        "size that their waves do not have; most right shaders depend on it.",
        "for (uint step = WaveGetLaneCount() / 2; step > 0; step /= 2) …  // 32 reported, 8 there",
        "Count the lanes of a wave by a ballot or a sum, or leave such devices to groupshared memory.",
        "This project; crosslane devices --verify finds such devices"},
    RuleText{"oversized-shuffle", "A note: no lane finds the lane that it reads.",
             "v = subgroupShuffleXor(v, 16);  // in a wave of 8 lanes", "Start distances from the real wave size.",
             "SPIR-V 1.6, 3.52.21"},
    RuleText{
        "wrong-result",
        "The job's results hold at one wave size at least. It is told where nothing else is found that explains it.",
        "o[i] = a[i] + 1;  // and the job expects 2 * a[i]", "crosslane run shows which numbers differ.",
        "This project"},
};

}  // namespace

std::span<const RuleText> rules() { return table; }

const RuleText* find_rule(std::string_view id) {
  const auto* const found = std::ranges::find(table, id, &RuleText::id);
  return found == table.end() ? nullptr : found;
}

}  // namespace crosslane
