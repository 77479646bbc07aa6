#include "device/machine/views.hpp"

#include <utility>

#include <fmt/format.h>

#include "device/checks.hpp"
#include "device/machine/objects.hpp"

namespace crosslane::machine {
namespace {

using spirv::BindingKind;

// Which channels a shader declares is a promise; that it takes integers for integers is what the machine relies on.
bool takes_floats(const BindingRoots& shader) {
  return shader.scalars && shader.scalars->kind == spirv::ScalarInfo::Kind::floating;
}

// The part of an image that a binding shows: all levels to those that sample, one to those that write.
ImageDescription shown_part(const BindingRoots& shader, const Binding& binding, const ImageDescription& image) {
  auto shape = image;
  if (shader.kind == BindingKind::storage_image) {
    shape.extent = level_extent(image, binding.level);
    shape.levels = 1;
  }
  return shape;
}

}  // namespace

Expected<ImageView> show_typed_buffer(const BindingRoots& shader, const Binding& binding, const Root& range,
                                      const std::string& place) {
  if (!binding.texels) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: a typed buffer needs a texel format, and none was given.", place));
  }
  if (auto checked = check_texels(place, *binding.texels, takes_floats(shader)); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  const auto size = size_of(*binding.texels);
  if (range.bytes % size != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} bytes are no whole number of texels of {} bytes.", place, range.bytes, size));
  }
  ImageView view;
  view.shape = {
      .format = *binding.texels, .dimensions = 1, .extent = {static_cast<std::uint32_t>(range.bytes / size), 1, 1}};
  view.texels = range.data;
  return view;
}

Expected<ImageView> show_image(const DeviceInfo& device, const BindingRoots& shader, const Binding& binding,
                               const std::string& place, Root& root) {
  ImageView view;
  if (shader.kind == BindingKind::sampler || shader.kind == BindingKind::combined_image_sampler) {
    if (!binding.sampler) {
      return fail(ErrorCode::invalid_argument, fmt::format("{}: no sampler is bound.", place));
    }
    view.sampler = *binding.sampler;
  }
  if (shader.kind == BindingKind::sampler) {
    return view;
  }
  auto* const image = dynamic_cast<MachineImage*>(binding.image);
  if (image == nullptr) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: its image is {}.", place,
                            binding.image == nullptr ? "null" : "of another device than " + label(device)));
  }
  const auto shape = shader.image.value_or(spirv::ImageShape{});
  if (auto checked = check_shown_image(place, {shape.dimensions, shape.cube, shape.arrayed, takes_floats(shader)},
                                       image->description(), binding.level);
      !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  view.shape = shown_part(shader, binding, image->description());
  view.texels = image->texels(shader.kind == BindingKind::storage_image ? binding.level : 0);
  root = {view.texels, level_bytes(view.shape, 0)};
  return view;
}

}  // namespace crosslane::machine
