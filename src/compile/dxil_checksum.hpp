// The checksum of a DXIL container, without which Direct3D 12's runtimes refuse it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace crosslane::compile {

using DxilChecksum = std::array<std::byte, 16>;

/// The checksum of a container: MD5 but for the last blocks, over everything behind the place where it is kept. Of
/// bytes that are too short for a container it is that of nothing.
DxilChecksum dxil_checksum(std::span<const std::byte> container);

/// The one that the container holds; zeros where it is too short to hold one.
DxilChecksum stored_dxil_checksum(std::span<const std::byte> container);

/// Fills in the container's checksum; leaves bytes alone that are too short for a container.
void write_dxil_checksum(std::span<std::byte> container);

}  // namespace crosslane::compile
