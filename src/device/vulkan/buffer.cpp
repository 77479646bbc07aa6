#include "device/vulkan/buffer.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>

#include "base/rounding.hpp"

namespace crosslane::vulkan {
namespace {

// Shaders read words, vectors of four even: the last ones of a buffer of any size must exist.
constexpr std::uint64_t allocation_granule = 16;

// How well a memory type serves a kind of memory: nothing if it cannot, else more is better.
std::optional<int> fitness(vk::MemoryPropertyFlags flags, MemoryKind kind) {
  using Flag = vk::MemoryPropertyFlagBits;
  const auto has = [flags](Flag flag) { return static_cast<bool>(flags & flag); };
  if (has(Flag::eLazilyAllocated) || has(Flag::eProtected) || has(Flag::eDeviceCoherentAMD)) {
    return std::nullopt;
  }
  if (kind == MemoryKind::device) {
    return (has(Flag::eDeviceLocal) ? 2 : 0) + (has(Flag::eHostVisible) ? 0 : 1);
  }
  if (!has(Flag::eHostVisible) || !has(Flag::eHostCoherent)) {
    return std::nullopt;
  }
  const bool cached_as_wanted = has(Flag::eHostCached) == (kind == MemoryKind::readback);
  return (cached_as_wanted ? 2 : 0) + (has(Flag::eDeviceLocal) ? 0 : 1);
}

// Memory types to try, best first. `device` memory never falls back from the device to the host: slower by far, and
// nobody would know why.
std::vector<std::uint32_t> candidate_types(const vk::PhysicalDeviceMemoryProperties& memory, std::uint32_t allowed,
                                           MemoryKind kind) {
  std::vector<std::tuple<int, std::uint32_t>> rated;
  bool any_local = false;
  for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
    const auto flags = memory.memoryTypes.at(type).propertyFlags;
    const auto rating = fitness(flags, kind);
    if (((allowed >> type) & 1U) != 0 && rating) {
      rated.emplace_back(-*rating, type);
      any_local = any_local || static_cast<bool>(flags & vk::MemoryPropertyFlagBits::eDeviceLocal);
    }
  }
  std::ranges::sort(rated);
  std::vector<std::uint32_t> types;
  for (const auto& [rating, type] : rated) {
    const auto flags = memory.memoryTypes.at(type).propertyFlags;
    if (kind != MemoryKind::device || !any_local || (flags & vk::MemoryPropertyFlagBits::eDeviceLocal)) {
      types.push_back(type);
    }
  }
  return types;
}

// Tries the types in turn; the last failure is thrown.
vk::raii::DeviceMemory allocate(const DeviceState& state, std::uint64_t bytes,
                                const std::vector<std::uint32_t>& types) {
  for (std::size_t attempt = 0; attempt + 1 < types.size(); ++attempt) {
    try {
      return {state.device, vk::MemoryAllocateInfo(bytes, types[attempt])};
    } catch (const vk::OutOfDeviceMemoryError&) {  // NOLINT(bugprone-empty-catch): the next type may have room
    } catch (const vk::OutOfHostMemoryError&) {    // NOLINT(bugprone-empty-catch): likewise
    }
  }
  return {state.device, vk::MemoryAllocateInfo(bytes, types.at(types.size() - 1))};
}

Expected<void> check(const DeviceState& state, const BufferDescription& description) {
  if (description.bytes == 0) {
    return fail(ErrorCode::invalid_argument, "A buffer of 0 bytes was asked for; ask for at least one byte.");
  }
  const auto most = state.info().limits.buffer_bytes;
  if (description.bytes > most) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A buffer of {} bytes was asked for, but {} allows {} at most; use several buffers.",
                            description.bytes, label(state.info()), most));
  }
  return {};
}

}  // namespace

VulkanBuffer::VulkanBuffer(std::shared_ptr<DeviceState> state, std::uint64_t bytes)
    : state_(std::move(state)), bytes_(bytes) {}

VulkanBuffer::VulkanBuffer(std::shared_ptr<DeviceState> state, VkBuffer adopted, std::uint64_t bytes)
    : state_(std::move(state)), handle_(adopted), bytes_(bytes), adopted_(true) {}

std::uint64_t VulkanBuffer::allocated_bytes() const { return adopted_ ? bytes_ : round_up(bytes_, allocation_granule); }

Expected<std::unique_ptr<Buffer>> VulkanBuffer::create(std::shared_ptr<DeviceState> state,
                                                       const BufferDescription& description) {
  if (auto checked = check(*state, description); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  const auto what = fmt::format("Allocating a buffer of {} bytes on {}", description.bytes, label(state->info()));
  return guarded(what, [&]() -> Expected<std::unique_ptr<Buffer>> {
    std::unique_ptr<VulkanBuffer> buffer(new VulkanBuffer(state, description.bytes));
    using Usage = vk::BufferUsageFlagBits;
    const vk::BufferCreateInfo info({}, buffer->allocated_bytes(),
                                    Usage::eStorageBuffer | Usage::eUniformBuffer | Usage::eStorageTexelBuffer |
                                        Usage::eUniformTexelBuffer | Usage::eIndirectBuffer | Usage::eTransferSrc |
                                        Usage::eTransferDst);
    buffer->owned_ = vk::raii::Buffer(state->device, info);
    buffer->handle_ = *buffer->owned_;
    auto memory = allocate_memory(*state, buffer->owned_.getMemoryRequirements(), description.memory, what);
    if (!memory) {
      return tl::unexpected<Error>(std::move(memory.error()));
    }
    buffer->memory_ = std::move(*memory);
    buffer->owned_.bindMemory(*buffer->memory_, 0);
    if (description.memory != MemoryKind::device) {
      auto* const mapped = static_cast<std::byte*>(buffer->memory_.mapMemory(0, VK_WHOLE_SIZE));
      buffer->host_ = {mapped, static_cast<std::size_t>(description.bytes)};
    }
    return buffer;
  });
}

Expected<vk::raii::DeviceMemory> allocate_memory(const DeviceState& state, const vk::MemoryRequirements& needs,
                                                 MemoryKind kind, const std::string& what) {
  const auto types = candidate_types(state.physical.getMemoryProperties(), needs.memoryTypeBits, kind);
  if (types.empty()) {
    return fail(ErrorCode::unsupported, fmt::format("{} failed: the device has no such memory.", what));
  }
  return allocate(state, needs.size, types);
}

Expected<VulkanBuffer*> own_buffer(const DeviceState& state, Buffer* buffer) {
  if (buffer == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null buffer was passed.");
  }
  auto* const own = dynamic_cast<VulkanBuffer*>(buffer);
  if (own == nullptr || own->state() != &state) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A buffer of another device was passed to {}.", label(state.info())));
  }
  return own;
}

std::uint64_t whole_words(const VulkanBuffer& buffer) {
  return std::min(round_up(buffer.bytes(), 4), buffer.allocated_bytes());
}

}  // namespace crosslane::vulkan
