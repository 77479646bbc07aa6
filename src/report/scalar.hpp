// One element of any of the six element types: read from bytes, printed exactly, compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "crosslane/scalar_type.hpp"

namespace crosslane::report {

using Scalar = std::variant<std::uint32_t, std::int32_t, float, std::uint64_t, std::int64_t, double>;

/// The first element in `bytes`, which holds at least size_of(type) bytes.
Scalar scalar_from_bytes(ScalarType type, std::span<const std::byte> bytes);

/// The shortest decimal text that reads back as the same value; "NaN", "Infinity", "-Infinity" where there is none.
std::string text(const Scalar& scalar);

/// Whether two results of one reduction agree: the same value (any NaN is the same as any other, −0 is not +0), or, for
/// floats, no further apart than `tolerance`.
bool agree(const Scalar& a, const Scalar& b, double tolerance);

}  // namespace crosslane::report
