#include "cli/image_formats.hpp"

#include <array>
#include <map>

namespace crosslane::cli {

std::optional<TexelFormat> texel_format(std::uint32_t image_format) {
  using enum TexelType;
  static const std::map<std::uint32_t, TexelFormat> formats = {
      {1, {f32, 4}},     {2, {f16, 4}},      {3, {f32, 1}},     {4, {unorm8, 4}},   {5, {snorm8, 4}},
      {6, {f32, 2}},     {7, {f16, 2}},      {9, {f16, 1}},     {10, {unorm16, 4}}, {12, {unorm16, 2}},
      {13, {unorm8, 2}}, {14, {unorm16, 1}}, {15, {unorm8, 1}}, {16, {snorm16, 4}}, {17, {snorm16, 2}},
      {18, {snorm8, 2}}, {19, {snorm16, 1}}, {20, {snorm8, 1}}, {21, {i32, 4}},     {22, {i16, 4}},
      {23, {i8, 4}},     {24, {i32, 1}},     {25, {i32, 2}},    {26, {i16, 2}},     {27, {i8, 2}},
      {28, {i16, 1}},    {29, {i8, 1}},      {30, {u32, 4}},    {31, {u16, 4}},     {32, {u8, 4}},
      {33, {u32, 1}},    {35, {u32, 2}},     {36, {u16, 2}},    {37, {u8, 2}},      {38, {u16, 1}},
      {39, {u8, 1}},     {40, {u64, 1}},     {41, {i64, 1}},
  };
  const auto found = formats.find(image_format);
  return found == formats.end() ? std::nullopt : std::optional(found->second);
}

job::Format storage_format(TexelType type) {
  using job::Format;
  constexpr std::array formats = {Format::uint8, Format::int8,   Format::uint16, Format::int16,   Format::uint32,
                                  Format::int32, Format::uint64, Format::int64,  Format::float16, Format::float32,
                                  Format::uint8, Format::int8,   Format::uint16, Format::int16};
  return formats.at(static_cast<std::size_t>(type));
}

}  // namespace crosslane::cli
