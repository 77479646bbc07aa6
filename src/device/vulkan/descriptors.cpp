#include "device/vulkan/descriptors.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "device/vulkan/buffer.hpp"
#include "device/vulkan/format.hpp"

namespace crosslane::vulkan {
namespace {

std::string where(const VulkanPipeline& pipeline, std::uint32_t set, std::uint32_t slot) {
  return fmt::format("Shader \"{}\", set {}, binding {}", pipeline.name(), set, slot);
}

// The format in which a typed buffer is shown; errors begin with `place`.
Expected<vk::Format> checked_format(const DeviceState& state, const Binding& binding, std::uint64_t bytes,
                                    const std::string& place) {
  if (!binding.texels) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: a typed buffer needs a texel format, and none was given.", place));
  }
  const auto format = vulkan_format(*binding.texels);
  // Our buffers are made for both, and Vulkan then asks for formats that have both.
  const auto needed = vk::FormatFeatureFlagBits::eStorageTexelBuffer | vk::FormatFeatureFlagBits::eUniformTexelBuffer;
  if (format == vk::Format::eUndefined ||
      (state.physical.getFormatProperties(format).bufferFeatures & needed) != needed) {
    return fail(ErrorCode::unsupported,
                fmt::format("{}: {} has no typed buffers of {} channels of {}.", place, label(state.info()),
                            binding.texels->channels, name(binding.texels->type)));
  }
  const auto size = size_of(*binding.texels);
  if (bytes / size > state.description.texels) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} texels are more than the {} that {} can bind at once.", place, bytes / size,
                            state.description.texels, label(state.info())));
  }
  if (bytes % size != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} bytes are no whole number of texels of {} bytes.", place, bytes, size));
  }
  return format;
}

Expected<BoundRange> checked_range(const VulkanPipeline& pipeline, const Binding& binding, vk::DescriptorType type) {
  const auto& device = pipeline.state()->description;
  // Recording is frequent: text is made only where it is needed.
  const auto place = [&] { return where(pipeline, binding.set, binding.slot); };
  const auto own = own_buffer(*pipeline.state(), binding.buffer);
  if (!own) {
    return fail_because(fmt::format("{}: its buffer cannot be bound.", place()), own.error());
  }
  const auto& buffer = **own;
  if (!lies_inside(buffer.bytes(), binding.offset, binding.bytes)) {
    return tl::unexpected<Error>(check_range(place(), buffer.bytes(), binding.offset, binding.bytes).error());
  }
  auto bytes = binding.bytes == 0 ? buffer.bytes() - binding.offset : binding.bytes;
  if (bytes == 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: no bytes are left in the buffer of {} bytes from byte {} on.", place(), buffer.bytes(),
                            binding.offset));
  }
  const bool storage = type == vk::DescriptorType::eStorageBuffer;
  const bool uniform = type == vk::DescriptorType::eUniformBuffer;
  BoundRange bound{binding.set, binding.slot, binding.element, type, {}, vk::Format::eUndefined};
  if (!storage && !uniform) {
    const auto format = checked_format(*pipeline.state(), binding, bytes, place());
    if (!format) {
      return tl::unexpected<Error>(format.error());
    }
    bound.format = *format;
  } else if (binding.offset + bytes == buffer.bytes()) {
    // The last word of a buffer can be read whole, whatever the buffer's size: memory for it is there.
    bytes = std::min((bytes + 3) / 4 * 4, buffer.allocated_bytes() - binding.offset);
  }
  const auto alignment = uniform ? device.uniform_alignment : device.info.limits.binding_alignment;
  if (binding.offset % alignment != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: offset {} is not a multiple of the {} bytes that {} asks for.", place(),
                            binding.offset, alignment, label(device.info)));
  }
  const auto most = uniform ? device.uniform_bytes : device.info.limits.binding_bytes;
  if (bytes > most) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {} bytes are more than the {} that {} can bind at once.",
                                                         place(), bytes, most, label(device.info)));
  }
  if (!storage && buffer.adopted()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: an adopted buffer can be bound as a storage buffer alone.", place()));
  }
  bound.range = vk::DescriptorBufferInfo(buffer.handle(), binding.offset, bytes);
  return bound;
}

vk::ImageViewType view_type(const spirv::ImageShape& shape) {
  using enum vk::ImageViewType;
  if (shape.cube) {
    return shape.arrayed ? eCubeArray : eCube;
  }
  switch (shape.dimensions) {
    case 1:
      return shape.arrayed ? e1DArray : e1D;
    case 2:
      return shape.arrayed ? e2DArray : e2D;
    default:
      return e3D;
  }
}

// What a binding shows of an image, a sampler or both.
Expected<BoundRange> checked_image(const VulkanPipeline& pipeline, const Binding& binding,
                                   const spirv::ResourceBinding& shown) {
  using spirv::BindingKind;
  const auto place = where(pipeline, binding.set, binding.slot);
  BoundRange bound{
      .set = binding.set, .slot = binding.slot, .element = binding.element, .type = descriptor_type(shown.kind)};
  if (shown.kind == BindingKind::sampler || shown.kind == BindingKind::combined_image_sampler) {
    if (!binding.sampler) {
      return fail(ErrorCode::invalid_argument, fmt::format("{}: no sampler is bound.", place));
    }
    bound.sampler = binding.sampler;
  }
  if (shown.kind == BindingKind::sampler) {
    return bound;
  }
  const auto own = own_image(*pipeline.state(), binding.image);
  if (!own) {
    return fail_because(fmt::format("{}: its image cannot be bound.", place), own.error());
  }
  const auto& image = **own;
  const auto shape = shown.image.value_or(spirv::ImageShape{});
  const bool floats = shown.scalars && shown.scalars->kind == spirv::ScalarInfo::Kind::floating;
  if (auto checked = check_shown_image(place, {shape.dimensions, shape.cube, shape.arrayed, floats},
                                       image.description(), binding.level);
      !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  const bool written = shown.kind == BindingKind::storage_image;
  if (!(image.usage() & (written ? vk::ImageUsageFlagBits::eStorage : vk::ImageUsageFlagBits::eSampled))) {
    return fail(ErrorCode::unsupported, fmt::format("{}: {} cannot {} a {}.", place, label(pipeline.state()->info()),
                                                    written ? "write" : "sample", describe(image.description())));
  }
  bound.image = &image;
  bound.shape = view_type(shape);
  bound.first_level = written ? binding.level : 0;
  bound.levels = written ? 1 : image.description().levels;
  return bound;
}

bool same_place(const Binding& binding, const spirv::ResourceBinding& shown) {
  return binding.set == shown.set && binding.slot == shown.slot;
}

Expected<void> check_complete(const VulkanPipeline& pipeline, std::span<const Binding> bindings) {
  for (const auto& needed : pipeline.bindings()) {
    for (std::uint32_t element = 0; element < needed.count; ++element) {
      if (std::ranges::none_of(bindings,
                               [&](const auto& it) { return same_place(it, needed) && it.element == element; })) {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{}{}{}: no {} is bound.", where(pipeline, needed.set, needed.slot),
                                needed.count == 1 ? "" : fmt::format(", element {}", element),
                                needed.name.empty() ? "" : fmt::format(" ({})", needed.name),
                                spirv::is_buffer(needed.kind) ? "buffer" : spirv::name(needed.kind)));
      }
    }
  }
  return {};
}

}  // namespace

bool can_be_bound(spirv::BindingKind kind) {
  return spirv::is_buffer(kind) || kind == spirv::BindingKind::storage_image ||
         kind == spirv::BindingKind::sampled_image || kind == spirv::BindingKind::combined_image_sampler ||
         kind == spirv::BindingKind::sampler;
}

vk::DescriptorType descriptor_type(spirv::BindingKind kind) {
  switch (kind) {
    case spirv::BindingKind::uniform_buffer:
      return vk::DescriptorType::eUniformBuffer;
    case spirv::BindingKind::storage_texel_buffer:
      return vk::DescriptorType::eStorageTexelBuffer;
    case spirv::BindingKind::uniform_texel_buffer:
      return vk::DescriptorType::eUniformTexelBuffer;
    case spirv::BindingKind::storage_image:
      return vk::DescriptorType::eStorageImage;
    case spirv::BindingKind::sampled_image:
      return vk::DescriptorType::eSampledImage;
    case spirv::BindingKind::combined_image_sampler:
      return vk::DescriptorType::eCombinedImageSampler;
    case spirv::BindingKind::sampler:
      return vk::DescriptorType::eSampler;
    default:
      return vk::DescriptorType::eStorageBuffer;
  }
}

Expected<std::vector<BoundRange>> check_bindings(const VulkanPipeline& pipeline, std::span<const Binding> bindings) {
  std::vector<BoundRange> ranges;
  for (const auto& binding : bindings) {
    const auto same = [&](const Binding& other) {
      return other.set == binding.set && other.slot == binding.slot && other.element == binding.element;
    };
    if (std::ranges::count_if(bindings, same) > 1) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: it is bound twice.", where(pipeline, binding.set, binding.slot)));
    }
    const auto shown =
        std::ranges::find_if(pipeline.bindings(), [&](const auto& it) { return same_place(binding, it); });
    const bool used = shown != pipeline.bindings().end();
    if (used && binding.element >= shown->count) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: there is no element {}; it has {}.", where(pipeline, binding.set, binding.slot),
                              binding.element, shown->count));
    }
    if (!used && (binding.image != nullptr || binding.sampler)) {
      continue;
    }
    auto range = used && !spirv::is_buffer(shown->kind)
                     ? checked_image(pipeline, binding, *shown)
                     : checked_range(pipeline, binding,
                                     used ? descriptor_type(shown->kind) : vk::DescriptorType::eStorageBuffer);
    if (!range) {
      return tl::unexpected<Error>(std::move(range.error()));
    }
    if (used) {
      ranges.push_back(*range);
    }
  }
  if (auto complete = check_complete(pipeline, bindings); !complete) {
    return tl::unexpected<Error>(std::move(complete.error()));
  }
  return ranges;
}

DescriptorSets::Pool& DescriptorSets::pool_for(std::uint32_t sets, const Counts& needed) {
  if (!pools_.empty()) {
    auto& last = pools_.back();
    if (last.sets_left >= sets && std::ranges::equal(last.left, needed, std::ranges::greater_equal())) {
      return last;
    }
  }
  constexpr std::uint32_t first_sets = 16;
  constexpr std::uint32_t most_sets = 1024;
  const auto size = pools_.size() < 6 ? first_sets << pools_.size() : most_sets;
  Pool pool{vk::raii::DescriptorPool{nullptr}, std::max(size, sets), {}};
  pool.left.fill(size);
  pool.left.front() = size * 4;  // storage buffers are the most
  std::vector<vk::DescriptorPoolSize> sizes;
  for (std::size_t type = 0; type < types.size(); ++type) {
    pool.left.at(type) = std::max(pool.left.at(type), needed.at(type));
    sizes.emplace_back(types.at(type), pool.left.at(type));
  }
  pool.pool = vk::raii::DescriptorPool(state_->device, vk::DescriptorPoolCreateInfo({}, pool.sets_left, sizes));
  return pools_.emplace_back(std::move(pool));
}

vk::DescriptorImageInfo DescriptorSets::show(const BoundRange& bound) {
  vk::DescriptorImageInfo shown;
  if (bound.sampler) {
    shown.sampler = *samplers_.emplace_back(state_->device, sampler_info(*bound.sampler));
  }
  if (bound.image != nullptr) {
    const vk::ImageSubresourceRange part(vk::ImageAspectFlagBits::eColor, bound.first_level, bound.levels, 0,
                                         VK_REMAINING_ARRAY_LAYERS);
    const vk::ImageViewCreateInfo info({}, bound.image->handle(), bound.shape, bound.image->format(), {}, part);
    shown.imageView = *image_views_.emplace_back(state_->device, info);
    shown.imageLayout = vk::ImageLayout::eGeneral;
  }
  return shown;
}

std::vector<vk::DescriptorSet> DescriptorSets::make(const VulkanPipeline& pipeline,
                                                    std::span<const BoundRange> ranges) {
  std::vector<vk::DescriptorSetLayout> layouts;
  for (const auto& layout : pipeline.set_layouts()) {
    layouts.push_back(*layout);
  }
  if (layouts.empty()) {
    return {};
  }
  Counts needed{};
  for (std::size_t type = 0; type < types.size(); ++type) {
    needed.at(type) = static_cast<std::uint32_t>(std::ranges::count(ranges, types.at(type), &BoundRange::type));
  }
  const auto count = static_cast<std::uint32_t>(layouts.size());
  auto& pool = pool_for(count, needed);
  auto sets = (*state_->device)
                  .allocateDescriptorSets(vk::DescriptorSetAllocateInfo(*pool.pool, layouts), state_->dispatcher());
  pool.sets_left -= count;
  for (std::size_t type = 0; type < types.size(); ++type) {
    pool.left.at(type) -= needed.at(type);
  }

  std::vector<vk::BufferView> views;
  std::vector<vk::DescriptorImageInfo> images;
  views.reserve(ranges.size());  // writes point into it
  images.reserve(ranges.size());
  std::vector<vk::WriteDescriptorSet> writes;
  for (const auto& bound : ranges) {
    vk::WriteDescriptorSet write(sets.at(bound.set), bound.slot, bound.element, 1, bound.type);
    if (bound.image != nullptr || bound.sampler) {
      images.push_back(show(bound));
      write.pImageInfo = &images.back();
    } else if (bound.format == vk::Format::eUndefined) {
      write.pBufferInfo = &bound.range;
    } else {
      const vk::BufferViewCreateInfo info({}, bound.range.buffer, bound.format, bound.range.offset, bound.range.range);
      views.push_back(*views_.emplace_back(state_->device, info));
      write.pTexelBufferView = &views.back();
    }
    writes.push_back(write);
  }
  (*state_->device).updateDescriptorSets(writes, {}, state_->dispatcher());
  return sets;
}

}  // namespace crosslane::vulkan
