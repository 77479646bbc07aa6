// Rows of bits, joined to wider and split into narrower ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/decode/decoder.hpp"

namespace crosslane::machine {

/// The integer element with that many bytes.
Element integer_of(std::uint32_t bytes);

/// The same bits in rows with `to_bytes` per lane instead of `from_bytes`; lower numbered rows hold lower bits.
std::vector<Ref> regroup_bits(Decoder& decoder, std::span<const Ref> rows, std::uint32_t from_bytes,
                              std::uint32_t to_bytes);

}  // namespace crosslane::machine
