// Tells observers of texels that are read and written, as accesses to the memory that holds them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "machine/image_lanes-inl.hpp"
#include "machine/observe.hpp"
#include "machine/poison-inl.hpp"

namespace crosslane::machine {
namespace {

constexpr std::uint32_t beyond = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t largest_texel = 32;

// Where each lane's texel is in the memory of its image, and the bytes that it is given.
struct Texels {
  alignas(row_alignment) std::array<std::uint32_t, largest_wave> offsets{};
  std::array<std::uint64_t, largest_wave> pointers{};  // with their roots, where lanes may have images of their own
  std::array<std::byte, largest_texel * largest_wave> values{};
  Mask outside;
};

AccessPlan plan_of_texel(AccessPlan plan, TexelFormat format) {
  plan.component_bytes = plan.stride = texel_part_bytes(format);
  plan.components = size_of(format) / plan.component_bytes;
  return plan;
}

template <typename Row>
void encode(const Wave& wave, const Operation& op, std::uint32_t lane, const AccessPlan& plan, TexelFormat format,
            Texels& texels) {
  using Channel = std::conditional_t<std::is_floating_point_v<Row>, float, std::uint64_t>;
  const auto& rows = wave.program->accesses[op.count];
  Texel<Channel> texel{};
  for (std::uint32_t component = 0; component < rows.components; ++component) {
    texel[component] = wave.row<Row>(op.c)[std::size_t{component} * wave.padded + lane];
  }
  std::array<std::byte, largest_texel> bytes{};
  write_texel<Channel>({.shape = {.format = format, .dimensions = 1}, .texels = bytes.data()}, {}, texel);
  for (std::uint32_t component = 0; component < plan.components; ++component) {
    std::copy_n(bytes.data() + std::size_t{component} * plan.component_bytes, plan.component_bytes,
                texels.values.data() + (std::size_t{component} * wave.padded + lane) * plan.component_bytes);
  }
}

// Operands as those of the operation on the image; `count` is its plan, whose components are those of its registers.
template <typename Row>
void observe_texels(Wave& wave, const Operation& op) {
  if (wave.observer == nullptr) {
    return;
  }
  const auto& registers = wave.program->accesses[op.count];
  const auto format = image_of(wave, op, wave.active.first()).shape.format;
  const auto plan = plan_of_texel(registers, format);
  Texels texels;
  for_each_lane(wave.active, [&](std::uint32_t lane) {
    const auto& image = image_of(wave, op, lane);
    const auto offset =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(texel_offset(image, texel_place(wave, op, lane)), beyond));
    texels.offsets[lane] = offset;
    texels.pointers[lane] = (root_of(wave, op.a, op.aux, lane) + 1) << 32U | offset;
    if (offset == beyond) {
      add_lane(texels.outside, lane);
    }
    if (op.c != no_register) {
      encode<Row>(wave, op, lane, plan, format, texels);
    }
  });
  const bool rooted = op.a == no_register;
  wave.shape = rooted ? shape_of(wave, texels.offsets.data(), op.aux, 0) : AccessShape{};
  wave.observer->on_access(wave, source_of(wave, op),
                           {.plan = plan,
                            .shape = wave.shape,
                            .lanes = rooted ? LaneAddresses{.offsets = texels.offsets.data(), .root = op.aux}
                                            : LaneAddresses{.pointers = texels.pointers.data()},
                            .values = op.c == no_register ? nullptr : texels.values.data(),
                            .padded = wave.padded});
  for (std::uint32_t component = 0; op.dst != no_register && component < registers.components; ++component) {
    become_undefined(wave, op, Cause::outside_of_image, texels.outside, {},
                     row_at(wave, op.dst, component, registers.component_bytes), rooted ? op.aux : no_register);
  }
}

}  // namespace

Handler observe_texels_handler(Element element) {
  switch (element) {
    case Element::float32:
      return &observe_texels<float>;
    case Element::int32:
      return &observe_texels<std::uint32_t>;
    default:
      return &observe_texels<std::uint64_t>;
  }
}

}  // namespace crosslane::machine
