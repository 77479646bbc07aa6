#include "device/vulkan/descriptors.hpp"

#include <algorithm>

#include "device/vulkan/buffer.hpp"

namespace crosslane::vulkan {
namespace {

std::string where(const VulkanPipeline& pipeline, std::uint32_t set, std::uint32_t slot) {
  return fmt::format("Shader \"{}\", set {}, binding {}", pipeline.name(), set, slot);
}

Expected<BoundRange> checked_range(const VulkanPipeline& pipeline, const Binding& binding, bool uniform) {
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
  // The last word of a buffer can be read whole, whatever the buffer's size: memory for it is there.
  if (binding.offset + bytes == buffer.bytes()) {
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
  if (uniform && buffer.adopted()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: an adopted buffer cannot be bound as a uniform buffer.", place()));
  }
  return BoundRange{binding.set,
                    binding.slot,
                    uniform ? vk::DescriptorType::eUniformBuffer : vk::DescriptorType::eStorageBuffer,
                    {buffer.handle(), binding.offset, bytes}};
}

bool same_place(const Binding& binding, std::uint32_t set, std::uint32_t slot) {
  return binding.set == set && binding.slot == slot;
}

}  // namespace

Expected<std::vector<BoundRange>> check_bindings(const VulkanPipeline& pipeline, std::span<const Binding> bindings) {
  std::vector<BoundRange> ranges;
  for (const auto& binding : bindings) {
    const auto same = [&](const Binding& other) { return same_place(other, binding.set, binding.slot); };
    if (std::ranges::count_if(bindings, same) > 1) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: it is bound twice.", where(pipeline, binding.set, binding.slot)));
    }
    const auto shown =
        std::ranges::find_if(pipeline.bindings(), [&](const auto& it) { return same_place(binding, it.set, it.slot); });
    const bool uniform = shown != pipeline.bindings().end() && shown->kind == spirv::BindingKind::uniform_buffer;
    auto range = checked_range(pipeline, binding, uniform);
    if (!range) {
      return tl::unexpected<Error>(std::move(range.error()));
    }
    if (shown != pipeline.bindings().end()) {
      ranges.push_back(*range);
    }
  }
  for (const auto& needed : pipeline.bindings()) {
    if (std::ranges::none_of(bindings, [&](const auto& it) { return same_place(it, needed.set, needed.slot); })) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}{}: no buffer is bound.", where(pipeline, needed.set, needed.slot),
                              needed.name.empty() ? "" : fmt::format(" ({})", needed.name)));
    }
  }
  return ranges;
}

DescriptorSets::Pool& DescriptorSets::pool_for(std::uint32_t sets, std::uint32_t storage, std::uint32_t uniform) {
  if (!pools_.empty()) {
    auto& last = pools_.back();
    if (last.sets_left >= sets && last.storage_left >= storage && last.uniform_left >= uniform) {
      return last;
    }
  }
  constexpr std::uint32_t first_sets = 16;
  constexpr std::uint32_t most_sets = 1024;
  const auto size = pools_.size() < 6 ? first_sets << pools_.size() : most_sets;
  Pool pool{vk::raii::DescriptorPool{nullptr}, std::max(size, sets), std::max(size * 4, storage),
            std::max(size, uniform)};
  const std::array sizes = {vk::DescriptorPoolSize(vk::DescriptorType::eStorageBuffer, pool.storage_left),
                            vk::DescriptorPoolSize(vk::DescriptorType::eUniformBuffer, pool.uniform_left)};
  pool.pool = vk::raii::DescriptorPool(state_->device, vk::DescriptorPoolCreateInfo({}, pool.sets_left, sizes));
  return pools_.emplace_back(std::move(pool));
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
  const auto uniform =
      static_cast<std::uint32_t>(std::ranges::count(ranges, vk::DescriptorType::eUniformBuffer, &BoundRange::type));
  const auto storage = static_cast<std::uint32_t>(ranges.size()) - uniform;
  const auto count = static_cast<std::uint32_t>(layouts.size());
  auto& pool = pool_for(count, storage, uniform);
  auto sets = (*state_->device)
                  .allocateDescriptorSets(vk::DescriptorSetAllocateInfo(*pool.pool, layouts), state_->dispatcher());
  pool.sets_left -= count;
  pool.storage_left -= storage;
  pool.uniform_left -= uniform;

  std::vector<vk::WriteDescriptorSet> writes;
  for (const auto& bound : ranges) {
    writes.emplace_back(sets.at(bound.set), bound.slot, 0, 1, bound.type, nullptr, &bound.range);
  }
  (*state_->device).updateDescriptorSets(writes, {}, state_->dispatcher());
  return sets;
}

}  // namespace crosslane::vulkan
