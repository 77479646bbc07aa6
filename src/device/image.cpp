// What devices without images say, and moving texels between host and device.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "crosslane/device.hpp"
#include "device/checks.hpp"

namespace crosslane {
namespace {

Expected<void> check_bytes(const Image& image, std::uint32_t level, std::uint64_t bytes) {
  const auto& description = image.description();
  if (level >= description.levels || level_bytes(description, level) != bytes) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{} bytes were given for level {} of an image: it has {} levels, this one of {} bytes.", bytes,
                    level, description.levels, level < description.levels ? level_bytes(description, level) : 0));
  }
  return {};
}

// Makes a staging buffer of the size, lets `record` copy from or to it, and waits.
template <typename Fill, typename Record>
Expected<std::unique_ptr<Buffer>> through_staging(Device& device, MemoryKind memory, std::uint64_t bytes, Fill fill,
                                                  Record record) {
  auto staging = device.create_buffer({round_up(bytes, 4), memory});
  if (!staging) {
    return staging;
  }
  fill((*staging)->host());
  const auto ran = device.create_command_list().and_then([&](const std::unique_ptr<CommandList>& list) {
    return record(*list, **staging).and_then([&] { return run(device, *list); });
  });
  if (!ran) {
    return tl::unexpected<Error>(ran.error());
  }
  return staging;
}

}  // namespace

Expected<std::unique_ptr<Image>> Device::create_image(const ImageDescription& /*description*/) {
  return fail(ErrorCode::unsupported, fmt::format("{} has no images.", label(info())));
}

Expected<void> CommandList::copy_to_image(Buffer& /*source*/, std::uint64_t /*offset*/, Image& /*destination*/,
                                          std::uint32_t /*level*/) {
  return fail(ErrorCode::unsupported, "The command list's device has no images.");
}

Expected<void> CommandList::copy_to_buffer(Image& /*source*/, std::uint32_t /*level*/, Buffer& /*destination*/,
                                           std::uint64_t /*offset*/) {
  return fail(ErrorCode::unsupported, "The command list's device has no images.");
}

Expected<void> upload(Device& device, Image& image, std::span<const std::byte> bytes, std::uint32_t level) {
  if (auto checked = check_bytes(image, level, bytes.size()); !checked) {
    return checked;
  }
  const auto staging = through_staging(
      device, MemoryKind::upload, bytes.size(),
      [&](std::span<std::byte> host) { std::ranges::copy(bytes, host.begin()); },
      [&](CommandList& list, Buffer& buffer) { return list.copy_to_image(buffer, 0, image, level); });
  return staging ? Expected<void>() : tl::unexpected<Error>(staging.error());
}

Expected<void> download(Device& device, Image& image, std::span<std::byte> bytes, std::uint32_t level) {
  if (auto checked = check_bytes(image, level, bytes.size()); !checked) {
    return checked;
  }
  const auto staging = through_staging(
      device, MemoryKind::readback, bytes.size(), [](std::span<std::byte> /*host*/) {},
      [&](CommandList& list, Buffer& buffer) { return list.copy_to_buffer(image, level, buffer, 0); });
  if (!staging) {
    return tl::unexpected<Error>(staging.error());
  }
  std::ranges::copy((*staging)->host().first(bytes.size()), bytes.begin());
  return {};
}

}  // namespace crosslane
