#include <algorithm>

#include <fmt/format.h>

#include "device/checks.hpp"
#include "device/machine/objects.hpp"

namespace crosslane::machine {
namespace {

std::string where(const MachinePipeline& pipeline, std::uint32_t set, std::uint32_t slot) {
  return fmt::format("Shader \"{}\", set {}, binding {}", pipeline.name(), set, slot);
}

Expected<Root> checked_root(const DeviceInfo& device, const Binding& binding, const std::string& place) {
  auto* const buffer = dynamic_cast<MachineBuffer*>(binding.buffer);
  if (buffer == nullptr) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: its buffer is {}.", place,
                            binding.buffer == nullptr ? "null" : "of another device than " + label(device)));
  }
  if (auto inside = check_range(place, buffer->bytes(), binding.offset, binding.bytes); !inside) {
    return tl::unexpected<Error>(std::move(inside.error()));
  }
  auto bytes = binding.bytes == 0 ? buffer->bytes() - binding.offset : binding.bytes;
  if (bytes == 0 || binding.offset % device.limits.binding_alignment != 0) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: {} bytes from byte {} on cannot be bound: at least one, from a multiple of {} on.",
                            place, bytes, binding.offset, device.limits.binding_alignment));
  }
  // The last word of a buffer can be read whole, whatever the buffer's size.
  if (binding.offset + bytes == buffer->bytes()) {
    bytes = buffer->whole_words() - binding.offset;
  }
  if (bytes > device.limits.binding_bytes) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {} bytes are more than the {} that {} can bind at once.",
                                                         place, bytes, device.limits.binding_bytes, label(device)));
  }
  return Root{buffer->data() + binding.offset, bytes};
}

}  // namespace

Expected<std::vector<Root>> bind_roots(const DeviceInfo& device, const MachinePipeline& pipeline,
                                       std::span<const Binding> bindings) {
  const auto& program = pipeline.program();
  std::vector<Root> roots(program.roots);
  for (const auto& binding : bindings) {
    const auto place = where(pipeline, binding.set, binding.slot);
    const auto same = [&](const Binding& other) {
      return other.set == binding.set && other.slot == binding.slot && other.element == binding.element;
    };
    if (std::ranges::count_if(bindings, same) > 1) {
      return fail(ErrorCode::invalid_argument, fmt::format("{}: it is bound twice.", place));
    }
    auto root = checked_root(device, binding, place);
    if (!root) {
      return tl::unexpected<Error>(std::move(root.error()));
    }
    const auto shown = std::ranges::find_if(
        program.bindings, [&](const auto& it) { return it.set == binding.set && it.slot == binding.slot; });
    if (shown == program.bindings.end()) {
      continue;
    }
    if (binding.element >= shown->count) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: there is no element {}; it has {}.", place, binding.element, shown->count));
    }
    roots[shown->first_root + binding.element] = *root;
  }
  for (const auto& needed : program.bindings) {
    const bool open = needed.count == runtime_descriptors;
    for (std::uint32_t element = 0; element < needed.count && !open; ++element) {
      if (roots[needed.first_root + element].data == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{}{}{}: no buffer is bound.", where(pipeline, needed.set, needed.slot),
                                needed.count == 1 ? "" : fmt::format(", element {}", element),
                                needed.name.empty() ? "" : fmt::format(" ({})", needed.name)));
      }
    }
  }
  return roots;
}

}  // namespace crosslane::machine
