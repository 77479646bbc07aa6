// Images and typed buffers, lane by lane.
#include <algorithm>
#include <cstddef>
#include <limits>

#include "machine/image_lanes-inl.hpp"
#include "machine/image_ops.hpp"

namespace crosslane::machine {
namespace {

SamplePoint sample_point(const Wave& wave, const Operation& op, std::uint32_t lane) {
  Arguments arguments(wave, op, lane);
  SamplePoint point;
  for (std::uint32_t axis = 0; axis < arguments.shape.dimensions; ++axis) {
    point.at[axis] = arguments.next<float>();
  }
  point.layer = arguments.shape.layer ? arguments.next<float>() : 0;
  point.lod = arguments.shape.lod ? arguments.next<float>() : 0;
  for (std::uint32_t axis = 0; arguments.shape.offset && axis < arguments.shape.dimensions; ++axis) {
    point.offset[axis] = arguments.next<std::int32_t>();
  }
  return point;
}

// What a row's element is read and written as.
template <typename Row>
using Channel = std::conditional_t<std::is_floating_point_v<Row>, float, std::uint64_t>;

template <typename Row>
void put(const Wave& wave, const Operation& op, std::uint32_t lane, const Texel<Channel<Row>>& texel) {
  Row* out = wave.row<Row>(op.dst);
  for (std::uint32_t component = 0; component < op.count; ++component) {
    out[std::size_t{component} * wave.padded + lane] = static_cast<Row>(texel[component]);
  }
}

template <typename Row>
void read(Wave& wave, const Operation& op) {
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    put<Row>(wave, op, lane, read_texel<Channel<Row>>(image_of(wave, op, lane), texel_place(wave, op, lane)));
  });
}

template <typename Row>
void write(Wave& wave, const Operation& op) {
  const Row* in = wave.row<Row>(op.c);
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    Texel<Channel<Row>> texel{};
    for (std::uint32_t component = 0; component < op.count; ++component) {
      texel[component] = in[std::size_t{component} * wave.padded + lane];
    }
    write_texel<Channel<Row>>(image_of(wave, op, lane), texel_place(wave, op, lane), texel);
  });
}

template <typename Row>
void sample_image(Wave& wave, const Operation& op) {
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    put<Row>(wave, op, lane,
             sample<Channel<Row>>(image_of(wave, op, lane), sampler_of(wave, op, lane), sample_point(wave, op, lane)));
  });
}

template <typename Row>
void gather_image(Wave& wave, const Operation& op) {
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    put<Row>(wave, op, lane,
             gather<Channel<Row>>(image_of(wave, op, lane), sampler_of(wave, op, lane), sample_point(wave, op, lane),
                                  ImageArguments::unpack(op.imm).channel));
  });
}

void image_size(Wave& wave, const Operation& op) {
  const auto arguments = ImageArguments::unpack(op.imm);
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    const auto& image = image_of(wave, op, lane);
    const std::uint32_t level = arguments.lod ? wave.row<std::uint32_t>(op.b)[lane] : 0;
    const bool there = image.texels != nullptr && level < image.shape.levels;
    const auto extent = level_extent(image.shape, level);
    for (std::uint32_t component = 0; component < op.count; ++component) {
      const auto size = component < arguments.dimensions ? extent[component] : image.shape.layers / op.extra;
      wave.row<std::uint32_t>(op.dst)[std::size_t{component} * wave.padded + lane] = there ? size : 0;
    }
  });
}

void image_levels(Wave& wave, const Operation& op) {
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    const auto& image = image_of(wave, op, lane);
    wave.row<std::uint32_t>(op.dst)[lane] = image.texels == nullptr ? 0 : image.shape.levels;
  });
}

template <bool fat>
void texel_pointer(Wave& wave, const Operation& op) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    const auto& image = image_of(wave, op, lane);
    const bool fits = size_of(image.shape.format) == op.extra;
    const auto offset = fits ? std::min(texel_offset(image, texel_place(wave, op, lane)), most) : most;
    if constexpr (fat) {
      wave.row<std::uint64_t>(op.dst)[lane] = (wave.row<std::uint64_t>(op.a)[lane] & ~most) | offset;
    } else {
      wave.row<std::uint32_t>(op.dst)[lane] = static_cast<std::uint32_t>(offset);
    }
  });
}

}  // namespace

Handler image_read_handler(Element element) {
  switch (element) {
    case Element::float32:
      return &read<float>;
    case Element::int32:
      return &read<std::uint32_t>;
    case Element::int64:
      return &read<std::uint64_t>;
    default:
      return nullptr;
  }
}

Handler image_write_handler(Element element) {
  switch (element) {
    case Element::float32:
      return &write<float>;
    case Element::int32:
      return &write<std::uint32_t>;
    case Element::int64:
      return &write<std::uint64_t>;
    default:
      return nullptr;
  }
}

Handler image_sample_handler(Element element) {
  switch (element) {
    case Element::float32:
      return &sample_image<float>;
    case Element::int32:
      return &sample_image<std::uint32_t>;
    default:
      return nullptr;
  }
}

Handler image_gather_handler(Element element) {
  switch (element) {
    case Element::float32:
      return &gather_image<float>;
    case Element::int32:
      return &gather_image<std::uint32_t>;
    default:
      return nullptr;
  }
}

Handler image_size_handler() { return &image_size; }
Handler image_levels_handler() { return &image_levels; }
Handler texel_pointer_handler(bool fat) { return fat ? &texel_pointer<true> : &texel_pointer<false>; }

}  // namespace crosslane::machine
