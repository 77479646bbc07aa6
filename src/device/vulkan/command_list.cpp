#include "device/vulkan/command_list.hpp"

#include <algorithm>
#include <limits>

#include "device/vulkan/buffer.hpp"

namespace crosslane::vulkan {
namespace {

using Access = vk::AccessFlagBits;
using PipelineStage = vk::PipelineStageFlagBits;

constexpr std::uint64_t no_timeout = std::numeric_limits<std::uint64_t>::max();

void memory_barrier(const DeviceState& state, vk::CommandBuffer commands, bool for_host) {
  const auto writes = Access::eShaderWrite | Access::eTransferWrite;
  auto reads_and_writes = writes | Access::eShaderRead | Access::eUniformRead | Access::eTransferRead;
  auto stages = PipelineStage::eComputeShader | PipelineStage::eTransfer;
  const auto earlier_stages = stages;
  if (for_host) {
    reads_and_writes |= Access::eHostRead;
    stages |= PipelineStage::eHost;
  }
  commands.pipelineBarrier(earlier_stages, stages, {}, vk::MemoryBarrier(writes, reads_and_writes), {}, {},
                           state.dispatcher());
}

// What was written before is there for an indirect dispatch. Apart from the other barriers, since it is slow: 2 µs more
// on an NVIDIA H200.
void indirect_barrier(const DeviceState& state, vk::CommandBuffer commands) {
  commands.pipelineBarrier(
      PipelineStage::eComputeShader | PipelineStage::eTransfer, PipelineStage::eDrawIndirect, {},
      vk::MemoryBarrier(Access::eShaderWrite | Access::eTransferWrite, Access::eIndirectCommandRead), {}, {},
      state.dispatcher());
}

Expected<const VulkanPipeline*> own_pipeline(const DeviceState& state, const Pipeline& pipeline) {
  const auto* const own = dynamic_cast<const VulkanPipeline*>(&pipeline);
  if (own == nullptr || own->state() != &state) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A pipeline of another device was passed to {}.", label(state.info())));
  }
  return own;
}

}  // namespace

VulkanCommandList::VulkanCommandList(std::shared_ptr<DeviceState> state)
    : state_(std::move(state)), descriptors_(state_), timestamps_(state_) {
  pool_ = vk::raii::CommandPool(
      state_->device, vk::CommandPoolCreateInfo(vk::CommandPoolCreateFlagBits::eTransient, state_->queue_family));
  fence_ = vk::raii::Fence(state_->device, vk::FenceCreateInfo());
  const vk::CommandBufferAllocateInfo info(*pool_, vk::CommandBufferLevel::ePrimary, 1);
  commands_ = (*state_->device).allocateCommandBuffers(info, state_->dispatcher()).at(0);
  commands_.begin(vk::CommandBufferBeginInfo(vk::CommandBufferUsageFlagBits::eOneTimeSubmit), state_->dispatcher());
}

VulkanCommandList::VulkanCommandList(std::shared_ptr<DeviceState> state, VkCommandBuffer adopted)
    : state_(std::move(state)), commands_(adopted), descriptors_(state_), timestamps_(state_), adopted_(true) {}

VulkanCommandList::~VulkanCommandList() {
  if (stage_ == Stage::submitted) {
    // A lost device ends the wait too; nothing is left to do about it here.
    static_cast<void>(wait());
  }
}

Expected<void> VulkanCommandList::check_recording() const {
  if (stage_ == Stage::recording) {
    return {};
  }
  return fail(ErrorCode::invalid_argument,
              stage_ == Stage::failed ? "The command list failed before; make a new one."
                                      : "The command list was submitted already; make a new one for more work.");
}

template <typename Start>
Expected<void> VulkanCommandList::record_dispatch(const VulkanPipeline& shader, std::span<const Binding> bindings,
                                                  std::span<const std::byte> constants, const Start& start) {
  const auto ranges = check_constants(shader.name(), shader.constants_bytes(), constants.size()).and_then([&] {
    return check_bindings(shader, bindings);
  });
  if (!ranges) {
    return tl::unexpected<Error>(ranges.error());
  }
  return guarded("Recording a dispatch", [&]() -> Expected<void> {
    const auto& vulkan = state_->dispatcher();
    const auto sets = descriptors_.make(shader, *ranges);
    commands_.bindPipeline(vk::PipelineBindPoint::eCompute, shader.handle(), vulkan);
    if (!sets.empty()) {
      commands_.bindDescriptorSets(vk::PipelineBindPoint::eCompute, shader.layout(), 0, sets, {}, vulkan);
    }
    if (shader.constants_bytes() != 0) {
      std::vector<std::byte> words((std::size_t{shader.constants_bytes()} + 3) / 4 * 4);  // Vulkan takes whole words
      std::copy_n(constants.begin(), shader.constants_bytes(), words.begin());
      commands_.pushConstants<std::byte>(shader.layout(), vk::ShaderStageFlagBits::eCompute, 0, words, vulkan);
    }
    start();
    return {};
  });
}

Expected<void> VulkanCommandList::dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                                           std::span<const std::byte> constants, GroupCount groups) {
  const auto own = own_pipeline(*state_, pipeline);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  return check_recording().and_then([&] { return check_groups(state_->info(), (*own)->name(), groups); }).and_then([&] {
    return record_dispatch(**own, bindings, constants,
                           [&] { commands_.dispatch(groups[0], groups[1], groups[2], state_->dispatcher()); });
  });
}

Expected<void> VulkanCommandList::dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                                    std::span<const std::byte> constants, const BufferPlace& groups) {
  const auto own = own_pipeline(*state_, pipeline);
  const auto arguments = own_buffer(*state_, groups.buffer);
  if (!own || !arguments) {
    return tl::unexpected<Error>(own ? arguments.error() : own.error());
  }
  return check_recording()
      .and_then([&] {
        return check_word_range("Reading a dispatch's groups", whole_words(**arguments), groups.offset, groups_bytes);
      })
      .and_then([&] {
        return record_dispatch(**own, bindings, constants, [&] {
          if (barrier_since_indirect_) {
            indirect_barrier(*state_, commands_);
            barrier_since_indirect_ = false;
          }
          commands_.dispatchIndirect((*arguments)->handle(), groups.offset, state_->dispatcher());
        });
      });
}

Expected<void> VulkanCommandList::copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                                       std::uint64_t destination_offset, std::uint64_t bytes) {
  const auto from = own_buffer(*state_, &source);
  const auto to = own_buffer(*state_, &destination);
  for (const auto& own : {from, to}) {
    if (!own) {
      return tl::unexpected<Error>(own.error());
    }
  }
  auto checked = check_recording();
  checked = checked ? check_word_range("Copying from a buffer", whole_words(**from), source_offset, bytes) : checked;
  checked = checked ? check_word_range("Copying to a buffer", whole_words(**to), destination_offset, bytes) : checked;
  checked =
      checked ? check_overlap((*from)->handle() == (*to)->handle(), source_offset, destination_offset, bytes) : checked;
  if (!checked || bytes == 0) {
    return checked;
  }
  return guarded("Recording a copy", [&]() -> Expected<void> {
    commands_.copyBuffer((*from)->handle(), (*to)->handle(), vk::BufferCopy(source_offset, destination_offset, bytes),
                         state_->dispatcher());
    return {};
  });
}

Expected<void> VulkanCommandList::copy_to_image(Buffer& source, std::uint64_t offset, Image& destination,
                                                std::uint32_t level) {
  const auto from = own_buffer(*state_, &source);
  const auto to = own_image(*state_, &destination);
  if (!from || !to) {
    return tl::unexpected<Error>(from ? to.error() : from.error());
  }
  const auto& image = (*to)->description();
  auto checked = check_recording();
  checked = checked ? check_image_copy(image, level, whole_words(**from), offset) : checked;
  if (!checked) {
    return checked;
  }
  return guarded("Recording a copy", [&]() -> Expected<void> {
    commands_.copyBufferToImage((*from)->handle(), (*to)->handle(), vk::ImageLayout::eGeneral,
                                copy_region(image, level, offset), state_->dispatcher());
    return {};
  });
}

Expected<void> VulkanCommandList::copy_to_buffer(Image& source, std::uint32_t level, Buffer& destination,
                                                 std::uint64_t offset) {
  const auto from = own_image(*state_, &source);
  const auto to = own_buffer(*state_, &destination);
  if (!from || !to) {
    return tl::unexpected<Error>(from ? to.error() : from.error());
  }
  const auto& image = (*from)->description();
  auto checked = check_recording();
  checked = checked ? check_image_copy(image, level, whole_words(**to), offset) : checked;
  if (!checked) {
    return checked;
  }
  return guarded("Recording a copy", [&]() -> Expected<void> {
    commands_.copyImageToBuffer((*from)->handle(), vk::ImageLayout::eGeneral, (*to)->handle(),
                                copy_region(image, level, offset), state_->dispatcher());
    return {};
  });
}

void VulkanCommandList::prepare(const VulkanImage& image) {
  vk::ImageMemoryBarrier barrier;
  barrier.dstAccessMask = Access::eShaderRead | Access::eShaderWrite | Access::eTransferRead | Access::eTransferWrite;
  barrier.newLayout = vk::ImageLayout::eGeneral;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image.handle();
  barrier.subresourceRange = {vk::ImageAspectFlagBits::eColor, 0, VK_REMAINING_MIP_LEVELS, 0,
                              VK_REMAINING_ARRAY_LAYERS};
  commands_.pipelineBarrier(PipelineStage::eTopOfPipe, PipelineStage::eComputeShader | PipelineStage::eTransfer, {}, {},
                            {}, barrier, state_->dispatcher());
}

Expected<void> VulkanCommandList::fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) {
  const auto own = own_buffer(*state_, &buffer);
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  auto checked = check_recording();
  checked = checked ? check_word_range("Filling a buffer", whole_words(**own), offset, bytes) : checked;
  if (!checked || bytes == 0) {
    return checked;
  }
  return guarded("Recording a fill", [&]() -> Expected<void> {
    commands_.fillBuffer((*own)->handle(), offset, bytes, word, state_->dispatcher());
    return {};
  });
}

Expected<void> VulkanCommandList::barrier() {
  if (auto checked = check_recording(); !checked) {
    return checked;
  }
  return guarded("Recording a barrier", [&]() -> Expected<void> {
    memory_barrier(*state_, commands_, adopted_);
    barrier_since_indirect_ = true;
    return {};
  });
}

Expected<std::uint32_t> VulkanCommandList::timestamp() {
  if (auto checked = check_recording(); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  if (!state_->info().features.timestamps) {
    return fail(ErrorCode::unsupported, fmt::format("{} has no timestamps.", label(state_->info())));
  }
  return guarded("Recording a timestamp", [&]() -> Expected<std::uint32_t> { return timestamps_.record(commands_); });
}

Expected<void> VulkanCommandList::submit() {
  if (adopted_) {
    return fail(ErrorCode::invalid_argument,
                "The command list records into an adopted command buffer; submit that one yourself.");
  }
  if (auto checked = check_recording(); !checked) {
    return checked;
  }
  stage_ = Stage::failed;
  return guarded(fmt::format("Submitting work to {}", label(state_->info())), [&]() -> Expected<void> {
    // Work submitted later, and the host, see what this list wrote.
    memory_barrier(*state_, commands_, true);
    commands_.end(state_->dispatcher());
    state_->queue.submit(vk::SubmitInfo({}, {}, commands_), *fence_, state_->dispatcher());
    stage_ = Stage::submitted;
    return {};
  });
}

Expected<void> VulkanCommandList::wait() {
  if (stage_ == Stage::finished) {
    return {};
  }
  if (stage_ != Stage::submitted) {
    return fail(ErrorCode::invalid_argument, "The command list cannot be waited for: it was not submitted, or failed.");
  }
  stage_ = Stage::failed;
  return guarded(fmt::format("Waiting for {}", label(state_->info())), [&]() -> Expected<void> {
    static_cast<void>(state_->device.waitForFences(*fence_, VK_TRUE, no_timeout));  // failures are thrown
    stage_ = Stage::finished;
    return {};
  });
}

Expected<std::vector<double>> VulkanCommandList::timestamps() const {
  return guarded("Reading timestamps", [&] { return timestamps_.read(); });
}

Expected<VulkanCommandList*> own_list(const DeviceState& state, CommandList& list) {
  auto* const own = dynamic_cast<VulkanCommandList*>(&list);
  if (own == nullptr || own->state() != &state) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A command list of another device was passed to {}.", label(state.info())));
  }
  return own;
}

}  // namespace crosslane::vulkan
