// The places in shadow memory that the lanes of an access touch, in rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/mask.hpp"
#include "machine/observer.hpp"
#include "sanitize/shadow_rows.hpp"

namespace crosslane::sanitize {

/// How many rows there are, places of `place_bytes` each; none where the lanes do not access whole places one after the
/// other. `rows` has room for one per lane. With `two_readers` lanes that read the same as their neighbours count as
/// the first and the last of them.
std::size_t find_rows(const machine::MemoryEvent& event, const machine::Mask& active, std::uint32_t place_bytes,
                      bool two_readers, std::span<RowOfPlaces> rows);

}  // namespace crosslane::sanitize
