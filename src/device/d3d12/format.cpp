#include "device/d3d12/format.hpp"

#include <array>

namespace crosslane::d3d12 {

DXGI_FORMAT dxgi_format(TexelFormat format) {
  struct Row {
    TexelType type;
    std::array<DXGI_FORMAT, 4> by_channels;
  };
  constexpr auto none = DXGI_FORMAT_UNKNOWN;
  static constexpr std::array rows = {
      Row{TexelType::u8, {DXGI_FORMAT_R8_UINT, DXGI_FORMAT_R8G8_UINT, none, DXGI_FORMAT_R8G8B8A8_UINT}},
      Row{TexelType::i8, {DXGI_FORMAT_R8_SINT, DXGI_FORMAT_R8G8_SINT, none, DXGI_FORMAT_R8G8B8A8_SINT}},
      Row{TexelType::u16, {DXGI_FORMAT_R16_UINT, DXGI_FORMAT_R16G16_UINT, none, DXGI_FORMAT_R16G16B16A16_UINT}},
      Row{TexelType::i16, {DXGI_FORMAT_R16_SINT, DXGI_FORMAT_R16G16_SINT, none, DXGI_FORMAT_R16G16B16A16_SINT}},
      Row{TexelType::u32,
          {DXGI_FORMAT_R32_UINT, DXGI_FORMAT_R32G32_UINT, DXGI_FORMAT_R32G32B32_UINT, DXGI_FORMAT_R32G32B32A32_UINT}},
      Row{TexelType::i32,
          {DXGI_FORMAT_R32_SINT, DXGI_FORMAT_R32G32_SINT, DXGI_FORMAT_R32G32B32_SINT, DXGI_FORMAT_R32G32B32A32_SINT}},
      Row{TexelType::f16, {DXGI_FORMAT_R16_FLOAT, DXGI_FORMAT_R16G16_FLOAT, none, DXGI_FORMAT_R16G16B16A16_FLOAT}},
      Row{TexelType::f32,
          {DXGI_FORMAT_R32_FLOAT, DXGI_FORMAT_R32G32_FLOAT, DXGI_FORMAT_R32G32B32_FLOAT,
           DXGI_FORMAT_R32G32B32A32_FLOAT}},
      Row{TexelType::unorm8, {DXGI_FORMAT_R8_UNORM, DXGI_FORMAT_R8G8_UNORM, none, DXGI_FORMAT_R8G8B8A8_UNORM}},
      Row{TexelType::snorm8, {DXGI_FORMAT_R8_SNORM, DXGI_FORMAT_R8G8_SNORM, none, DXGI_FORMAT_R8G8B8A8_SNORM}},
      Row{TexelType::unorm16, {DXGI_FORMAT_R16_UNORM, DXGI_FORMAT_R16G16_UNORM, none, DXGI_FORMAT_R16G16B16A16_UNORM}},
      Row{TexelType::snorm16, {DXGI_FORMAT_R16_SNORM, DXGI_FORMAT_R16G16_SNORM, none, DXGI_FORMAT_R16G16B16A16_SNORM}},
  };
  if (format.channels < 1 || format.channels > 4) {
    return none;
  }
  for (const Row& row : rows) {
    if (row.type == format.type) {
      return row.by_channels.at(format.channels - 1);
    }
  }
  return none;
}

}  // namespace crosslane::d3d12
