// Texels in Direct3D's terms.
#pragma once

#include "crosslane/texel_format.hpp"
#include "device/d3d12/headers.hpp"

namespace crosslane::d3d12 {

/// DXGI_FORMAT_UNKNOWN for texels that Direct3D does not have: of three channels but for 32 bits, and of 64 bits.
DXGI_FORMAT dxgi_format(TexelFormat format);

}  // namespace crosslane::d3d12
