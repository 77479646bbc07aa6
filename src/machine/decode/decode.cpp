#include "machine/decode/decode.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/rounding.hpp"
#include "machine/decode/capabilities.hpp"
#include "machine/decode/decoder.hpp"
#include "machine/decode/order.hpp"
#include "machine/wave.hpp"
#include "spirv/reflection.hpp"
#include "spirv/rewrite.hpp"
#include "spirv/validate.hpp"

namespace crosslane::machine {
namespace {

Expected<const spirv::RawEntryPoint*> find_entry_point(const spirv::Module& module, const std::string& name) {
  std::string names;
  for (const auto& entry : module.tables.entry_points) {
    if (static_cast<spv::ExecutionModel>(entry.model) != spv::ExecutionModel::GLCompute) {
      continue;
    }
    if (entry.name == name) {
      return &entry;
    }
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  return fail(ErrorCode::invalid_argument, fmt::format("The module has no compute entry point '{}'; {}.", name,
                                                       names.empty() ? "it has none at all" : "it has " + names));
}

// Threads per group: of the constant that is decorated as WorkgroupSize, else of the execution mode.
Expected<std::array<std::uint32_t, 3>> group_size(const Decoder& decoder, std::uint32_t entry_point) {
  const auto& tables = decoder.module().tables;
  std::array<std::uint64_t, 3> size{};
  for (const auto& mode : tables.execution_modes) {
    const auto which = static_cast<spv::ExecutionMode>(mode.mode);
    if (mode.function == entry_point && mode.operands.size() >= 3 &&
        (which == spv::ExecutionMode::LocalSize || which == spv::ExecutionMode::LocalSizeId)) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        size[axis] = mode.by_id ? decoder.constant(mode.operands[axis]).value_or(0) : mode.operands[axis];
      }
    }
  }
  for (const auto& [id, decorations] : tables.decorations) {
    const auto built_in = decorations.find(spv::Decoration::BuiltIn);
    if (built_in != decorations.end() && static_cast<spv::BuiltIn>(built_in->second) == spv::BuiltIn::WorkgroupSize) {
      if (const auto* leaves = decoder.constant_leaves(id); leaves != nullptr && leaves->size() == 3) {
        std::ranges::copy(*leaves, size.begin());
      }
    }
  }
  std::uint64_t threads = 1;
  for (const auto axis : size) {
    threads = spirv::saturating_multiply(threads, axis);
  }
  if (threads == 0 || threads > most_group_threads) {
    return fail(ErrorCode::unsupported,
                fmt::format("Thread groups of {} x {} x {} cannot be run: the wave machine runs 1 to {} threads.",
                            size[0], size[1], size[2], most_group_threads));
  }
  return std::array<std::uint32_t, 3>{static_cast<std::uint32_t>(size[0]), static_cast<std::uint32_t>(size[1]),
                                      static_cast<std::uint32_t>(size[2])};
}

void give_roots(const spirv::Reflection& reflection, Program& program) {
  for (const auto& binding : reflection.bindings) {
    const auto count = binding.count == 0 ? runtime_descriptors : binding.count;
    program.bindings.push_back(
        {binding.set, binding.slot, program.roots, count, binding.kind, binding.name, binding.image, binding.scalars});
    program.roots += count;
  }
}

}  // namespace

Expected<Program> decode(const spirv::Module& module, const DecodeOptions& options) {
  if (options.wave_size < 1 || options.wave_size > largest_wave) {
    return fail(ErrorCode::invalid_argument, fmt::format("The wave size {} cannot be; the wave machine runs 1 to {}.",
                                                         options.wave_size, largest_wave));
  }
  const auto entry = find_entry_point(module, options.entry_point);
  if (!entry) {
    return tl::unexpected<Error>(entry.error());
  }
  if (auto checked = check_capabilities(module, (*entry)->function); !checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  auto reflection = spirv::reflect(std::span(module.words).first(module.binary_words), options.entry_point);
  if (!reflection) {
    return tl::unexpected<Error>(std::move(reflection.error()));
  }
  Program program;
  program.wave_size = options.wave_size;
  program.padded = static_cast<std::uint32_t>(round_up(options.wave_size, row_lanes));
  program.constants_bytes = reflection->constants_bytes;
  program.follows_undefined = options.undefined_values;
  program.vulkan_memory_model = std::ranges::count(module.tables.capabilities,
                                                   static_cast<std::uint32_t>(spv::Capability::VulkanMemoryModel)) != 0;
  program.ordered = depends_on_group_order(module);
  give_roots(*reflection, program);
  Decoder decoder(module, options, program);
  if (options.independent_lanes) {
    decoder.builder().keep_places();
  }
  if (auto decoded = decode_constants(decoder); !decoded) {
    return tl::unexpected<Error>(std::move(decoded.error()));
  }
  const auto size = group_size(decoder, (*entry)->function);
  if (!size) {
    return tl::unexpected<Error>(size.error());
  }
  program.group_size = *size;
  decoder.builder().set_active_row(decoder.builder().allocate_pinned(decoder.row_bytes(Element::boolean)));
  if (auto decoded = decode_globals(decoder, (*entry)->function); !decoded) {
    return tl::unexpected<Error>(std::move(decoded.error()));
  }
  if (auto decoded = decode_entry_point(decoder, (*entry)->function); !decoded) {
    return tl::unexpected<Error>(std::move(decoded.error()));
  }
  if (auto finished = decoder.builder().finish(); !finished) {
    return tl::unexpected<Error>(std::move(finished.error()));
  }
  return program;
}

Expected<Program> make_program(std::span<const std::uint32_t> words, const DecodeOptions& options) {
  if (auto valid =
          spirv::validate(words, {.environment = "vulkan1.3", .scalar_block_layout = true, .local_size_id = true});
      !valid) {
    return tl::unexpected<Error>(std::move(valid.error()));
  }
  auto promoted = spirv::promote_variables(words);
  if (!promoted) {
    return tl::unexpected<Error>(std::move(promoted.error()));
  }
  auto module = spirv::make_module(std::move(*promoted));
  if (!module) {
    return tl::unexpected<Error>(std::move(module.error()));
  }
  return decode(*module, options);
}

}  // namespace crosslane::machine
