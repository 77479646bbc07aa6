#include "machine/image.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace crosslane::machine {
namespace {

constexpr std::size_t alpha = 3;
constexpr std::size_t axes = 3;

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

float half_to_float(std::uint16_t bits) {
  const int exponent = (bits >> 10U) & 0x1F;
  const auto fraction = static_cast<float>(bits & 0x3FFU);
  const float sign = (bits & 0x8000U) != 0 ? -1.0F : 1.0F;
  if (exponent == 0x1F) {
    return fraction == 0 ? sign * std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

// To the nearest, ties to even; what is too large is infinite.
std::uint16_t float_to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000U : 0U);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) {
    return sign | 0x7E00U;
  }
  if (magnitude >= 65520.0F) {
    return sign | 0x7C00U;
  }
  // In units of the last place: of the denormals, or of the number's own power of two. A carry goes into the exponent.
  const int exponent = magnitude < 0x1p-14F ? -14 : std::ilogb(magnitude);
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign | (units + (static_cast<std::uint32_t>(exponent + 14) << 10U)));
}

template <typename Integer>
float from_normalised(const std::byte* from) {
  constexpr auto most = static_cast<float>(std::numeric_limits<Integer>::max());
  return std::max(static_cast<float>(load<Integer>(from)) / most, -1.0F);
}

template <typename Integer>
void to_normalised(std::byte* to, float value) {
  constexpr double most = std::numeric_limits<Integer>::max();
  constexpr float least = std::is_signed_v<Integer> ? -1.0F : 0.0F;
  const float inside = value >= least ? std::min(value, 1.0F) : std::isnan(value) ? 0.0F : least;
  // In double precision the product is exact, and rounded once.
  store(to, static_cast<Integer>(std::nearbyint(static_cast<double>(inside) * most)));
}

template <typename Integer>
std::uint64_t extended(const std::byte* from) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(load<Integer>(from)));
}

template <typename T>
T read_channel(TexelType type, const std::byte* from);

template <>
float read_channel<float>(TexelType type, const std::byte* from) {
  switch (type) {
    case TexelType::f32:
      return load<float>(from);
    case TexelType::f16:
      return half_to_float(load<std::uint16_t>(from));
    case TexelType::unorm8:
      return from_normalised<std::uint8_t>(from);
    case TexelType::snorm8:
      return from_normalised<std::int8_t>(from);
    case TexelType::unorm16:
      return from_normalised<std::uint16_t>(from);
    case TexelType::snorm16:
      return from_normalised<std::int16_t>(from);
    default:
      return 0;  // integers, which devices do not show to a shader that takes them for floats
  }
}

template <>
std::uint64_t read_channel<std::uint64_t>(TexelType type, const std::byte* from) {
  switch (type) {
    case TexelType::u8:
      return extended<std::uint8_t>(from);
    case TexelType::i8:
      return extended<std::int8_t>(from);
    case TexelType::u16:
      return extended<std::uint16_t>(from);
    case TexelType::i16:
      return extended<std::int16_t>(from);
    case TexelType::u32:
      return extended<std::uint32_t>(from);
    case TexelType::i32:
      return extended<std::int32_t>(from);
    case TexelType::u64:
    case TexelType::i64:
      return load<std::uint64_t>(from);
    default:
      return 0;
  }
}

void write_channel(TexelType type, std::byte* to, float value) {
  switch (type) {
    case TexelType::f32:
      store(to, value);
      return;
    case TexelType::f16:
      store(to, float_to_half(value));
      return;
    case TexelType::unorm8:
      to_normalised<std::uint8_t>(to, value);
      return;
    case TexelType::snorm8:
      to_normalised<std::int8_t>(to, value);
      return;
    case TexelType::unorm16:
      to_normalised<std::uint16_t>(to, value);
      return;
    case TexelType::snorm16:
      to_normalised<std::int16_t>(to, value);
      return;
    default:
      return;
  }
}

// The low bytes come first.
void write_channel(TexelType type, std::byte* to, std::uint64_t value) { std::memcpy(to, &value, size_of(type)); }

template <typename T>
Texel<T> complete(Texel<T> texel, std::uint32_t channels) {
  for (std::size_t channel = channels; channel < texel.size(); ++channel) {
    texel.at(channel) = channel == alpha ? T{1} : T{0};
  }
  return texel;
}

template <typename T>
Texel<T> read_at(const ImageView& view, std::uint64_t offset) {
  const auto format = view.shape.format;
  const auto* from = view.texels + offset;
  Texel<T> texel{};
  for (std::uint32_t channel = 0; channel < format.channels; ++channel) {
    texel[channel] = read_channel<T>(format.type, from + std::size_t{channel} * size_of(format.type));
  }
  return complete(texel, format.channels);
}

template <typename T>
Texel<T> border(const Sampler& sampler, TexelFormat format) {
  const T colour = sampler.border == BorderColor::opaque_white ? T{1} : T{0};
  const T opacity = sampler.border == BorderColor::transparent_black ? T{0} : T{1};
  return complete(Texel<T>{colour, colour, colour, opacity}, format.channels);
}

// The texel that a number along one dimension means; below 0 for the border.
std::int64_t addressed(TextureAddress address, std::int64_t at, std::int64_t texels) {
  const auto modulo = [](std::int64_t a, std::int64_t b) { return ((a % b) + b) % b; };
  switch (address) {
    case TextureAddress::wrap:
      return modulo(at, texels);
    case TextureAddress::mirror: {
      const auto place = modulo(at, 2 * texels);
      return place < texels ? place : 2 * texels - 1 - place;
    }
    case TextureAddress::clamp:
      return std::clamp<std::int64_t>(at, 0, texels - 1);
    default:
      return at < texels ? at : -1;
  }
}

// What a coordinate becomes in texels of a level. Numbers that are none, or far outside, stay where integers can count.
float scaled(float coordinate, std::uint32_t texels) {
  constexpr float most = 0x1p30F;
  const float place = coordinate * static_cast<float>(texels);
  return std::isnan(place) ? 0.0F : std::clamp(place, -most, most);
}

// The texels around a point of one level, and how they are mixed.
template <typename T>
class LevelSampler {
 public:
  LevelSampler(const ImageView& view, const Sampler& sampler, const SamplePoint& point, std::uint32_t level)
      : view_(view), sampler_(sampler), point_(point), extent_(level_extent(view.shape, level)) {
    place_.level = level;
    const float layer = std::isnan(point.layer) ? 0.0F : std::clamp(point.layer, 0.0F, 0x1p30F);
    place_.layer = std::min<std::int64_t>(static_cast<std::int64_t>(std::nearbyint(layer)), view.shape.layers - 1);
  }

  Texel<T> nearest() {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const float place = std::floor(scaled(point_.at[axis], extent_[axis]));
      place_.at[axis] = wrapped(axis, static_cast<std::int64_t>(place));
    }
    return read();
  }

  Texel<T> linear() {
    start_linear();
    Texel<T> sum{};
    for (std::uint32_t corner = 0; corner < 1U << axes; ++corner) {
      float weight = 1;
      for (std::size_t axis = 0; axis < axes; ++axis) {
        weight *= (corner >> axis & 1U) != 0 ? fraction_[axis] : 1 - fraction_[axis];
      }
      if (weight != 0) {
        const auto texel = read_corner(corner);
        for (std::size_t channel = 0; channel < sum.size(); ++channel) {
          sum[channel] += static_cast<T>(weight * static_cast<float>(texel[channel]));
        }
      }
    }
    return sum;
  }

  Texel<T> gather(std::uint32_t channel) {
    start_linear();
    return {read_corner(2)[channel], read_corner(3)[channel], read_corner(1)[channel], read_corner(0)[channel]};
  }

 private:
  void start_linear() {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const float place = scaled(point_.at[axis], extent_[axis]) - 0.5F;
      const float floor = std::floor(place);
      first_[axis] = static_cast<std::int64_t>(floor);
      fraction_[axis] = place - floor;
    }
  }

  // Bit `axis` of the corner is 1 for the texel further on.
  Texel<T> read_corner(std::uint32_t corner) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      place_.at[axis] = wrapped(axis, first_[axis] + (corner >> axis & 1U));
    }
    return read();
  }

  std::int64_t wrapped(std::size_t axis, std::int64_t at) {
    return addressed(sampler_.address[axis], at + point_.offset[axis], extent_[axis]);
  }

  Texel<T> read() {
    const auto offset = texel_offset(view_, place_);
    return offset == outside ? border<T>(sampler_, view_.shape.format) : read_at<T>(view_, offset);
  }

  const ImageView& view_;
  const Sampler& sampler_;
  const SamplePoint& point_;
  std::array<std::uint32_t, 3> extent_;
  TexelPlace place_;
  std::array<std::int64_t, 3> first_ = {};
  std::array<float, 3> fraction_ = {};
};

template <typename T>
Texel<T> sample_level(const ImageView& view, const Sampler& sampler, const SamplePoint& point, Filter filter,
                      std::uint32_t level) {
  LevelSampler<T> texels(view, sampler, point, level);
  // Integers cannot be mixed.
  return filter == Filter::linear && std::is_floating_point_v<T> ? texels.linear() : texels.nearest();
}

}  // namespace

std::uint64_t texel_offset(const ImageView& view, const TexelPlace& place) {
  const auto& shape = view.shape;
  if (view.texels == nullptr || place.layer < 0 || place.layer >= shape.layers || place.level < 0 ||
      place.level >= shape.levels) {
    return outside;
  }
  const auto level = static_cast<std::uint32_t>(place.level);
  const auto extent = level_extent(shape, level);
  auto texel = static_cast<std::uint64_t>(place.layer);
  for (std::size_t axis = extent.size(); axis-- > 0;) {
    if (place.at[axis] < 0 || place.at[axis] >= extent[axis]) {
      return outside;
    }
    texel = texel * extent[axis] + static_cast<std::uint64_t>(place.at[axis]);
  }
  std::uint64_t offset = texel * size_of(shape.format);
  for (std::uint32_t before = 0; before < level; ++before) {
    offset += level_bytes(shape, before);
  }
  return offset;
}

template <typename T>
Texel<T> read_texel(const ImageView& view, const TexelPlace& place) {
  const auto offset = texel_offset(view, place);
  return offset == outside ? Texel<T>{} : read_at<T>(view, offset);
}

template <typename T>
void write_texel(const ImageView& view, const TexelPlace& place, const Texel<T>& texel) {
  const auto offset = texel_offset(view, place);
  if (offset == outside) {
    return;
  }
  const auto format = view.shape.format;
  for (std::uint32_t channel = 0; channel < format.channels; ++channel) {
    write_channel(format.type, view.texels + offset + std::size_t{channel} * size_of(format.type), texel[channel]);
  }
}

template <typename T>
Texel<T> sample(const ImageView& view, const Sampler& sampler, const SamplePoint& point) {
  if (view.texels == nullptr) {
    return {};
  }
  const float wanted = point.lod + sampler.lod_bias;
  const float lod = std::isnan(wanted) ? sampler.min_lod : std::min(std::max(wanted, sampler.min_lod), sampler.max_lod);
  const Filter filter = lod <= 0 ? sampler.magnify : sampler.minify;
  const auto last = view.shape.levels - 1;
  const float inside = std::clamp(lod, 0.0F, static_cast<float>(last));
  if (sampler.mips == Filter::point || std::is_integral_v<T>) {
    const float level = std::ceil(inside + 0.5F) - 1;
    return sample_level<T>(view, sampler, point, filter, static_cast<std::uint32_t>(level));
  }
  const float floor = std::floor(inside);
  const auto level = static_cast<std::uint32_t>(floor);
  auto texel = sample_level<T>(view, sampler, point, filter, level);
  if (const float further = inside - floor; further != 0) {
    const auto next = sample_level<T>(view, sampler, point, filter, level + 1);
    for (std::size_t channel = 0; channel < texel.size(); ++channel) {
      texel[channel] = static_cast<T>((1 - further) * static_cast<float>(texel[channel]) +
                                      further * static_cast<float>(next[channel]));
    }
  }
  return texel;
}

template <typename T>
Texel<T> gather(const ImageView& view, const Sampler& sampler, const SamplePoint& point, std::uint32_t channel) {
  return view.texels == nullptr || channel > alpha ? Texel<T>{}
                                                   : LevelSampler<T>(view, sampler, point, 0).gather(channel);
}

template Texel<float> read_texel(const ImageView&, const TexelPlace&);
template Texel<std::uint64_t> read_texel(const ImageView&, const TexelPlace&);
template void write_texel(const ImageView&, const TexelPlace&, const Texel<float>&);
template void write_texel(const ImageView&, const TexelPlace&, const Texel<std::uint64_t>&);
template Texel<float> sample(const ImageView&, const Sampler&, const SamplePoint&);
template Texel<std::uint64_t> sample(const ImageView&, const Sampler&, const SamplePoint&);
template Texel<float> gather(const ImageView&, const Sampler&, const SamplePoint&, std::uint32_t);
template Texel<std::uint64_t> gather(const ImageView&, const Sampler&, const SamplePoint&, std::uint32_t);

}  // namespace crosslane::machine
