// What an operation on images says about each lane, see image_ops.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/group.hpp"
#include "machine/image.hpp"
#include "machine/image_ops.hpp"
#include "machine/wave.hpp"

namespace crosslane::machine {

inline const ImageView& image_of_root(const Wave& wave, std::uint64_t root) {
  static const ImageView no_image;
  const auto& images = *wave.group->images;
  return root < images.size() ? images[root] : no_image;
}

// The root that lane `lane` means: fat pointers hold its number plus one.
inline std::uint64_t root_of(const Wave& wave, std::uint32_t pointer, std::uint32_t root, std::uint32_t lane) {
  return pointer == no_register ? root : (wave.row<std::uint64_t>(pointer)[lane] >> 32U) - 1;
}

inline const ImageView& image_of(const Wave& wave, const Operation& op, std::uint32_t lane) {
  return image_of_root(wave, root_of(wave, op.a, op.aux, lane));
}

inline const Sampler& sampler_of(const Wave& wave, const Operation& op, std::uint32_t lane) {
  return image_of_root(wave, root_of(wave, op.c, op.extra, lane)).sampler;
}

// What the rows from b on say about a lane, one after the other.
class Arguments {
 public:
  Arguments(const Wave& wave, const Operation& op, std::uint32_t lane)
      : shape(ImageArguments::unpack(op.imm)), rows_(wave.row<std::byte>(op.b)), padded_(wave.padded), lane_(lane) {}

  template <typename T>
  T next() {
    return reinterpret_cast<const T*>(rows_)[std::size_t{padded_} * row_++ + lane_];
  }

  ImageArguments shape;

 private:
  const std::byte* rows_;
  std::uint32_t padded_;
  std::uint32_t lane_;
  std::uint32_t row_ = 0;
};

inline TexelPlace texel_place(const Wave& wave, const Operation& op, std::uint32_t lane) {
  Arguments arguments(wave, op, lane);
  TexelPlace place;
  for (std::uint32_t axis = 0; axis < arguments.shape.dimensions; ++axis) {
    place.at[axis] = arguments.next<std::int32_t>();
  }
  place.layer = arguments.shape.layer ? arguments.next<std::int32_t>() : 0;
  place.level = arguments.shape.lod ? arguments.next<std::int32_t>() : 0;
  for (std::uint32_t axis = 0; arguments.shape.offset && axis < arguments.shape.dimensions; ++axis) {
    place.at[axis] += arguments.next<std::int32_t>();
  }
  return place;
}

}  // namespace crosslane::machine
