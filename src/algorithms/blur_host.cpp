// The one-call form of the blur, for pixels on the host.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algorithms/row_pitch.hpp"
#include "base/rounding.hpp"
#include "crosslane/blur.hpp"

namespace crosslane {
Expected<std::vector<std::byte>> blur(Device& device, std::span<const std::byte> pixels, std::uint64_t width,
                                      const BlurOptions& options) {
  const std::uint64_t row = blur_row_bytes(options.format, width);
  if (row == 0 || pixels.empty() || pixels.size() % row != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} bytes are no whole rows of {} pixels of format {}, {} bytes each", pixels.size(), width,
                            name(options.format), row));
  }
  auto plan = Blur::create(device, options);
  if (!plan) {
    return tl::unexpected(std::move(plan.error()));
  }
  const std::uint64_t pitch = round_up(row, 4);
  std::vector<std::byte> rows = with_pitch(pixels, row, row, pitch);
  std::unique_ptr<Buffer> input;
  std::unique_ptr<Buffer> output;
  std::unique_ptr<CommandList> list;
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  return device.create_buffer({rows.size(), MemoryKind::device})
      .map(keep(input))
      .and_then([&] {
        return device.create_buffer({rows.size(), MemoryKind::device});
      })
      .map(keep(output))
      .and_then([&] { return upload(device, *input, rows); })
      .and_then([&] { return device.create_command_list(); })
      .map(keep(list))
      .and_then([&] {
        return plan->record(*list, {{input.get(), 0}}, {{output.get(), 0}}, width, rows.size() / pitch);
      })
      .and_then([&] { return run(device, *list); })
      .and_then([&] { return download(device, *output, rows); })
      .map([&] { return with_pitch(rows, row, pitch, row); });
}

}  // namespace crosslane
