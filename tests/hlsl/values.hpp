// Values of every HLSL type as kernels/codec.hlsli has them: two words for each component.
#pragma once

#include <cstdint>
#include <vector>

#include "hlsl/run_kernel.hpp"

namespace crosslane::hlsl_tests {

/// The bits of each component, in order.
using Value = std::vector<std::uint64_t>;

/// Bits without order, the same for the same `number`.
std::uint32_t random_bits(std::uint32_t number);

/// A value with components of these many bits (type_layout.hpp), another one for each `number`; read as a float of any
/// width each component is finite and normal.
Value make_value(const std::vector<std::uint32_t>& component_bits, std::uint32_t number);

/// Adds the value to the end of an array.
void append(Array& array, const Value& value);

/// The value number `index` of an array of values with so many components.
Value value_at(const Array& array, std::size_t index, std::size_t components);

/// What value_at() gives where nothing was written.
Value unwritten_value(std::size_t components);

}  // namespace crosslane::hlsl_tests
