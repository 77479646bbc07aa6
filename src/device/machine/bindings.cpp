#include <algorithm>

#include <fmt/format.h>

#include "device/checks.hpp"
#include "device/machine/objects.hpp"
#include "device/machine/views.hpp"

namespace crosslane::machine {
namespace {

std::string where(const MachinePipeline& pipeline, std::uint32_t set, std::uint32_t slot) {
  return fmt::format("Shader \"{}\", set {}, binding {}", pipeline.name(), set, slot);
}

Expected<Root> checked_root(const DeviceInfo& device, const Binding& binding, bool typed, const std::string& place) {
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
  // The last word of a buffer can be read whole, whatever the buffer's size; the last texel ends with it.
  if (!typed && binding.offset + bytes == buffer->bytes()) {
    bytes = buffer->whole_words() - binding.offset;
  }
  if (bytes > device.limits.binding_bytes) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: {} bytes are more than the {} that {} can bind at once.",
                                                         place, bytes, device.limits.binding_bytes, label(device)));
  }
  return Root{buffer->data() + binding.offset, bytes};
}

// Puts what a binding shows into the table.
Expected<void> show(const DeviceInfo& device, const BindingRoots& shader, const Binding& binding,
                    const std::string& place, BoundRoots& bound) {
  const auto number = shader.first_root + binding.element;
  auto& root = bound.roots[number];
  const bool typed = spirv::is_texel_buffer(shader.kind);
  if (spirv::is_buffer(shader.kind)) {
    auto range = checked_root(device, binding, typed, place);
    if (!range) {
      return tl::unexpected<Error>(std::move(range.error()));
    }
    root = *range;
    if (!typed) {
      return {};
    }
  }
  auto view =
      typed ? show_typed_buffer(shader, binding, root, place) : show_image(device, shader, binding, place, root);
  if (!view) {
    return tl::unexpected<Error>(std::move(view.error()));
  }
  if (bound.images.size() <= number) {
    bound.images.resize(bound.roots.size());
  }
  bound.images[number] = *view;
  return {};
}

}  // namespace

Expected<BoundRoots> bind_roots(const DeviceInfo& device, const MachinePipeline& pipeline,
                                std::span<const Binding> bindings) {
  const auto& program = pipeline.program();
  BoundRoots bound;
  bound.roots.resize(program.roots);
  for (const auto& binding : bindings) {
    const auto place = where(pipeline, binding.set, binding.slot);
    const auto same = [&](const Binding& other) {
      return other.set == binding.set && other.slot == binding.slot && other.element == binding.element;
    };
    if (std::ranges::count_if(bindings, same) > 1) {
      return fail(ErrorCode::invalid_argument, fmt::format("{}: it is bound twice.", place));
    }
    const auto shown = std::ranges::find_if(
        program.bindings, [&](const auto& it) { return it.set == binding.set && it.slot == binding.slot; });
    if (shown == program.bindings.end()) {
      // Checked all the same: what is wrong here is wrong for a variant of the shader that uses it.
      const bool buffer = binding.image == nullptr && !binding.sampler;
      if (const auto root = buffer ? checked_root(device, binding, false, place) : Root{}; !root) {
        return tl::unexpected<Error>(root.error());
      }
      continue;
    }
    if (binding.element >= shown->count) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("{}: there is no element {}; it has {}.", place, binding.element, shown->count));
    }
    if (auto done = show(device, *shown, binding, place, bound); !done) {
      return tl::unexpected<Error>(std::move(done.error()));
    }
  }
  for (const auto& needed : program.bindings) {
    const bool open = needed.count == runtime_descriptors;
    for (std::uint32_t element = 0; element < needed.count && !open; ++element) {
      const auto given = [&](const Binding& it) {
        return it.set == needed.set && it.slot == needed.slot && it.element == element;
      };
      if (std::ranges::none_of(bindings, given)) {
        return fail(ErrorCode::invalid_argument,
                    fmt::format("{}{}{}: no {} is bound.", where(pipeline, needed.set, needed.slot),
                                needed.count == 1 ? "" : fmt::format(", element {}", element),
                                needed.name.empty() ? "" : fmt::format(" ({})", needed.name),
                                spirv::is_buffer(needed.kind) ? "buffer" : spirv::name(needed.kind)));
      }
    }
  }
  return bound;
}

}  // namespace crosslane::machine
