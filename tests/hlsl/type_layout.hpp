// The components of the HLSL types under test, by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crosslane::hlsl_tests {

/// Bits of each scalar that `type` is made of, in order: {16, 16, 16} for "half3", {1} for "bool". A vector's or a
/// matrix's name is its scalar's and a shape ("3", "2x3"); structs are those of kernels/structs.hlsli.
std::vector<std::uint32_t> component_bits(std::string_view type);

/// Whether `type` has 16-bit components that shader models below 6.2 lack.
bool needs_16_bit_types(std::string_view type);

}  // namespace crosslane::hlsl_tests
