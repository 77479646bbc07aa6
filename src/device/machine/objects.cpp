#include "device/machine/objects.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "device/checks.hpp"

namespace crosslane::machine {
namespace {

// Shaders read words, vectors of four even: the last ones of a buffer of any size exist.
constexpr std::uint64_t allocation_granule = 16;

template <typename Own, typename Base>
Expected<Own*> own_object(const DeviceInfo& device, Base* object, std::string_view what) {
  auto* const own = dynamic_cast<Own*>(object);
  if (own == nullptr) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("A {} of another device was passed to {}.", what, label(device)));
  }
  return own;
}

}  // namespace

Expected<std::unique_ptr<Buffer>> MachineBuffer::create(std::uint64_t bytes, MemoryKind memory) {
  auto buffer = std::make_unique<MachineBuffer>();
  const auto allocated = round_up(bytes, allocation_granule);
  buffer->memory_ = hwy::AllocateAligned<std::byte>(allocated);
  if (buffer->memory_ == nullptr) {
    return fail(ErrorCode::device, fmt::format("The host has no memory left for a buffer of {} bytes.", bytes));
  }
  std::memset(buffer->memory_.get(), 0, allocated);
  buffer->bytes_ = bytes;
  buffer->mapped_ = memory != MemoryKind::device;
  return buffer;
}

std::uint64_t MachineBuffer::whole_words() const { return round_up(bytes_, 4); }

Expected<std::unique_ptr<Image>> MachineImage::create(const ImageDescription& description) {
  if (auto checked = check_image(description); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  constexpr std::uint64_t most = std::uint64_t{1} << 32U;
  std::uint64_t bytes = 0;
  for (std::uint32_t level = 0; level < description.levels; ++level) {
    double size = size_of(description.format);  // extents can be so large that their product fits no integer
    for (const auto texels : level_extent(description, level)) {
      size *= texels;
    }
    size *= description.layers;
    bytes += size < static_cast<double>(most) ? level_bytes(description, level) : most;
  }
  if (bytes >= most) {
    return fail(ErrorCode::unsupported,
                fmt::format("The wave machine has no {}: images have less than 4 GiB.", describe(description)));
  }
  auto image = std::make_unique<MachineImage>();
  image->description_ = description;
  image->memory_ = hwy::AllocateAligned<std::byte>(bytes);
  if (image->memory_ == nullptr) {
    return fail(ErrorCode::device, fmt::format("The host has no memory left for a {}.", describe(description)));
  }
  std::memset(image->memory_.get(), 0, bytes);
  return image;
}

std::byte* MachineImage::texels(std::uint32_t level) const {
  auto* texels = memory_.get();
  for (std::uint32_t before = 0; before < level; ++before) {
    texels += level_bytes(description_, before);
  }
  return texels;
}

Expected<void> MachineCommandList::check_recording() const {
  if (stage_ == Stage::recording) {
    return {};
  }
  return fail(ErrorCode::invalid_argument,
              stage_ == Stage::failed ? "The command list failed before; make a new one."
                                      : "The command list was submitted already; make a new one for more work.");
}

Expected<void> MachineCommandList::add_dispatch(const MachinePipeline& pipeline, std::span<const Binding> bindings,
                                                std::span<const std::byte> constants,
                                                std::function<Expected<GroupCount>()> groups) {
  auto bound = check_constants(pipeline.name(), pipeline.program().constants_bytes, constants.size()).and_then([&] {
    return bind_roots(device_, pipeline, bindings);
  });
  if (!bound) {
    return tl::unexpected<Error>(std::move(bound.error()));
  }
  commands_.emplace_back([order = order_, pipeline = &pipeline, bound = std::move(*bound), groups = std::move(groups),
                          block = std::vector<std::byte>(constants.begin(), constants.end())]() mutable {
    bound.roots[constants_root] = {block.data(), block.size()};
    return groups().and_then([&](const GroupCount& count) {
      auto launch = order;
      launch.groups = count;
      launch.roots = bound.roots;
      launch.images = bound.images;
      auto ran = run(pipeline->program(), launch);
      return ran ? std::move(ran)
                 : Expected<void>(fail_because(fmt::format("Shader \"{}\" did what it must not.", pipeline->name()),
                                               std::move(ran.error())));
    });
  });
  return {};
}

Expected<void> MachineCommandList::dispatch(const Pipeline& pipeline, std::span<const Binding> bindings,
                                            std::span<const std::byte> constants, GroupCount groups) {
  const auto own = own_object<const MachinePipeline>(device_, &pipeline, "pipeline");
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  return check_recording().and_then([&] { return check_groups(device_, (*own)->name(), groups); }).and_then([&] {
    return add_dispatch(**own, bindings, constants, [groups] { return Expected<GroupCount>(groups); });
  });
}

Expected<void> MachineCommandList::dispatch_indirect(const Pipeline& pipeline, std::span<const Binding> bindings,
                                                     std::span<const std::byte> constants, const BufferPlace& groups) {
  const auto own = own_object<const MachinePipeline>(device_, &pipeline, "pipeline");
  const auto arguments = own_object<MachineBuffer>(device_, groups.buffer, "buffer");
  if (!own || !arguments) {
    return tl::unexpected<Error>(own ? arguments.error() : own.error());
  }
  return check_recording()
      .and_then([&] {
        return check_word_range("Reading a dispatch's groups", (*arguments)->whole_words(), groups.offset,
                                groups_bytes);
      })
      .and_then([&] {
        const auto read = [this, name = (*own)->name(), words = (*arguments)->data() + groups.offset]() {
          GroupCount count{};
          std::memcpy(count.data(), words, groups_bytes);
          return check_groups(device_, name, count).map([&] { return count; });
        };
        return add_dispatch(**own, bindings, constants, read);
      });
}

Expected<void> MachineCommandList::copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                                        std::uint64_t destination_offset, std::uint64_t bytes) {
  const auto from = own_object<MachineBuffer>(device_, &source, "buffer");
  const auto to = own_object<MachineBuffer>(device_, &destination, "buffer");
  if (!from || !to) {
    return tl::unexpected<Error>(from ? to.error() : from.error());
  }
  auto checked = check_recording();
  checked = checked ? check_word_range("Copying from a buffer", (*from)->whole_words(), source_offset, bytes) : checked;
  checked =
      checked ? check_word_range("Copying to a buffer", (*to)->whole_words(), destination_offset, bytes) : checked;
  checked = checked ? check_overlap(*from == *to, source_offset, destination_offset, bytes) : checked;
  if (!checked) {
    return checked;
  }
  commands_.emplace_back([from = (*from)->data() + source_offset, to = (*to)->data() + destination_offset, bytes] {
    std::memcpy(to, from, bytes);
    return Expected<void>();
  });
  return {};
}

Expected<void> MachineCommandList::copy_to_image(Buffer& source, std::uint64_t offset, Image& destination,
                                                 std::uint32_t level) {
  const auto from = own_object<MachineBuffer>(device_, &source, "buffer");
  const auto to = own_object<MachineImage>(device_, &destination, "image");
  if (!from || !to) {
    return tl::unexpected<Error>(from ? to.error() : from.error());
  }
  auto checked = check_recording();
  checked = checked ? check_image_copy((*to)->description(), level, (*from)->whole_words(), offset) : checked;
  if (!checked) {
    return checked;
  }
  commands_.emplace_back([from = (*from)->data() + offset, to = *to, level] {
    std::memcpy(to->texels(level), from, level_bytes(to->description(), level));
    return Expected<void>();
  });
  return {};
}

Expected<void> MachineCommandList::copy_to_buffer(Image& source, std::uint32_t level, Buffer& destination,
                                                  std::uint64_t offset) {
  const auto from = own_object<MachineImage>(device_, &source, "image");
  const auto to = own_object<MachineBuffer>(device_, &destination, "buffer");
  if (!from || !to) {
    return tl::unexpected<Error>(from ? to.error() : from.error());
  }
  auto checked = check_recording();
  checked = checked ? check_image_copy((*from)->description(), level, (*to)->whole_words(), offset) : checked;
  if (!checked) {
    return checked;
  }
  commands_.emplace_back([from = *from, to = (*to)->data() + offset, level] {
    std::memcpy(to, from->texels(level), level_bytes(from->description(), level));
    return Expected<void>();
  });
  return {};
}

Expected<void> MachineCommandList::fill(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) {
  const auto own = own_object<MachineBuffer>(device_, &buffer, "buffer");
  if (!own) {
    return tl::unexpected<Error>(own.error());
  }
  auto checked = check_recording();
  checked = checked ? check_word_range("Filling a buffer", (*own)->whole_words(), offset, bytes) : checked;
  if (!checked) {
    return checked;
  }
  commands_.emplace_back([to = (*own)->data() + offset, bytes, word] {
    std::fill_n(reinterpret_cast<std::uint32_t*>(to), bytes / sizeof(word), word);
    return Expected<void>();
  });
  return {};
}

// Commands run in order and are finished when the next begins.
Expected<void> MachineCommandList::barrier() { return check_recording(); }

Expected<std::uint32_t> MachineCommandList::timestamp() {
  if (auto checked = check_recording(); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  commands_.emplace_back([this] {
    clocks_.push_back(std::chrono::steady_clock::now());
    return Expected<void>();
  });
  return timestamps_++;
}

Expected<void> MachineCommandList::submit() {
  if (auto checked = check_recording(); !checked) {
    return checked;
  }
  stage_ = Stage::failed;
  for (const auto& command : commands_) {
    if (auto done = command(); !done) {
      return done;
    }
  }
  stage_ = Stage::finished;
  return {};
}

Expected<void> MachineCommandList::wait() const {
  if (stage_ == Stage::finished) {
    return {};
  }
  return fail(ErrorCode::invalid_argument, "The command list cannot be waited for: it was not submitted, or failed.");
}

Expected<std::vector<double>> MachineCommandList::timestamps() const {
  if (auto finished = wait(); !finished) {
    return tl::unexpected<Error>(std::move(finished.error()));
  }
  std::vector<double> milliseconds;
  for (const auto clock : clocks_) {
    milliseconds.push_back(std::chrono::duration<double, std::milli>(clock - clocks_.front()).count());
  }
  return milliseconds;
}

}  // namespace crosslane::machine
