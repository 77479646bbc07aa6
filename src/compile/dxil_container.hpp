// Reads the few things we need from a DXIL container: the parts, the checksum, the lanes per wave.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "compile/compiler.hpp"

namespace crosslane::compile {

/// The bytes of the part with this four-character name ("PSV0"); nothing if there is none or the bytes are no
/// container.
std::optional<std::span<const std::byte>> dxil_part(std::span<const std::byte> container, std::string_view name);

/// True where the 16 bytes of the checksum are all zero, as an unsigned container has them. `container` is one.
bool dxil_checksum_is_zero(std::span<const std::byte> container);

/// The lanes per wave that `[WaveSize]` asked for, from the pipeline state validation part; nothing if it asked none.
std::optional<WaveSizeAttribute> dxil_wave_size(std::span<const std::byte> container);

}  // namespace crosslane::compile
