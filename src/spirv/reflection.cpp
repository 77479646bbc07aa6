#include "spirv/reflection.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spirv/unified1/spirv.hpp11>

#include "spirv/tables.hpp"

namespace crosslane::spirv {
namespace {

using spv::Decoration;
using spv::Op;
using spv::StorageClass;

BindingKind image_kind(const Type& image) {
  constexpr std::uint32_t used_without_sampler = 2;
  const auto dimension = static_cast<spv::Dim>(image.operands[1]);
  const bool storage = image.operands[5] == used_without_sampler;
  if (dimension == spv::Dim::Buffer) {
    return storage ? BindingKind::storage_texel_buffer : BindingKind::uniform_texel_buffer;
  }
  if (dimension == spv::Dim::SubpassData) {
    return BindingKind::input_attachment;
  }
  return storage ? BindingKind::storage_image : BindingKind::sampled_image;
}

BindingKind opaque_kind(const Tables& tables, const Type& type) {
  switch (type.opcode) {
    case Op::OpTypeImage:
      return image_kind(type);
    case Op::OpTypeSampler:
      return BindingKind::sampler;
    case Op::OpTypeSampledImage: {
      const auto* image = tables.type(type.operands[0]);
      const bool texels = image != nullptr && image->opcode == Op::OpTypeImage &&
                          static_cast<spv::Dim>(image->operands[1]) == spv::Dim::Buffer;
      return texels ? BindingKind::uniform_texel_buffer : BindingKind::combined_image_sampler;
    }
    case Op::OpTypeAccelerationStructureKHR:
      return BindingKind::acceleration_structure;
    default:
      return BindingKind::unknown;
  }
}

BindingKind binding_kind(const Tables& tables, StorageClass storage, std::uint32_t type_id, const Type& type) {
  switch (storage) {
    case StorageClass::StorageBuffer:
      return BindingKind::storage_buffer;
    case StorageClass::Uniform:
      return tables.decoration(type_id, Decoration::BufferBlock) ? BindingKind::storage_buffer
                                                                 : BindingKind::uniform_buffer;
    case StorageClass::UniformConstant:
      return opaque_kind(tables, type);
    default:
      return BindingKind::unknown;
  }
}

std::optional<ScalarInfo> scalar_type(const Type& type) {
  using Kind = ScalarInfo::Kind;
  switch (type.opcode) {
    case Op::OpTypeBool:
      return ScalarInfo{Kind::boolean, 32};
    case Op::OpTypeInt:
      return ScalarInfo{type.operands[1] != 0 ? Kind::signed_integer : Kind::unsigned_integer, type.operands[0]};
    case Op::OpTypeFloat:
      return ScalarInfo{Kind::floating, type.operands[0]};
    default:
      return std::nullopt;
  }
}

// Collects the types of the numbers in a type; false where something else is in it. Malformed modules could nest types
// without end, hence the depth.
bool collect_scalars(const Tables& tables, std::uint32_t type_id,
                     std::set<std::pair<ScalarInfo::Kind, std::uint32_t>>& found, int depth = 0) {
  constexpr int deepest = 16;
  const auto* type = tables.type(type_id);
  if (type == nullptr || depth > deepest) {
    return false;
  }
  if (const auto scalar = scalar_type(*type)) {
    found.emplace(scalar->kind, scalar->bits);
    return true;
  }
  switch (type->opcode) {
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
    case Op::OpTypeImage:
    case Op::OpTypeSampledImage:
      return collect_scalars(tables, type->operands[0], found, depth + 1);
    case Op::OpTypeStruct:
      return std::ranges::all_of(type->operands, [&](std::uint32_t member) {
        return found.size() < 2 && collect_scalars(tables, member, found, depth + 1);
      });
    default:
      return false;
  }
}

std::optional<ScalarInfo> only_scalar(const Tables& tables, std::uint32_t type_id) {
  std::set<std::pair<ScalarInfo::Kind, std::uint32_t>> found;
  if (!collect_scalars(tables, type_id, found) || found.size() != 1) {
    return std::nullopt;
  }
  return ScalarInfo{found.begin()->first, found.begin()->second};
}

// The image type that it is or samples, or null.
const Type* image_type(const Tables& tables, const Type& type) {
  constexpr std::size_t image_operands = 7;
  const auto* image = type.opcode == Op::OpTypeSampledImage ? tables.type(type.operands[0]) : &type;
  const bool usable = image != nullptr && image->opcode == Op::OpTypeImage && image->operands.size() >= image_operands;
  return usable ? image : nullptr;
}

std::uint32_t image_format(const Tables& tables, const Type& type) {
  constexpr std::size_t format_operand = 6;
  const auto* image = image_type(tables, type);
  return image == nullptr ? 0 : image->operands[format_operand];
}

std::optional<ImageShape> image_shape(const Tables& tables, const Type& type) {
  const auto* image = image_type(tables, type);
  if (image == nullptr) {
    return std::nullopt;
  }
  ImageShape shape{2, false, image->operands[3] != 0, image->operands[4] != 0};
  switch (static_cast<spv::Dim>(image->operands[1])) {
    case spv::Dim::Dim1D:
      shape.dimensions = 1;
      return shape;
    case spv::Dim::Dim2D:
      return shape;
    case spv::Dim::Dim3D:
      shape.dimensions = 3;
      return shape;
    case spv::Dim::Cube:
      shape.cube = true;
      return shape;
    default:
      return std::nullopt;
  }
}

bool ends_without_bound(const Tables& tables, const Type& type) {
  const auto* last =
      type.opcode == Op::OpTypeStruct && !type.operands.empty() ? tables.type(type.operands.back()) : nullptr;
  return last != nullptr && last->opcode == Op::OpTypeRuntimeArray;
}

bool all_members_read_only(const Tables& tables, std::uint32_t struct_id, const Type& type) {
  if (type.opcode != Op::OpTypeStruct || type.operands.empty()) {
    return false;
  }
  for (std::uint32_t member = 0; member < type.operands.size(); ++member) {
    if (!tables.member_decoration(struct_id, member, Decoration::NonWritable)) {
      return false;
    }
  }
  return true;
}

std::optional<ResourceBinding> reflect_binding(const Tables& tables, std::uint32_t id, const Variable& variable) {
  const auto slot = tables.decoration(id, Decoration::Binding);
  const auto set = tables.decoration(id, Decoration::DescriptorSet);
  auto type_id = variable.pointee;
  const auto* type = tables.type(type_id);
  if ((!slot && !set) || type == nullptr) {
    return std::nullopt;
  }
  ResourceBinding binding;
  binding.set = set.value_or(0);
  binding.slot = slot.value_or(0);
  std::uint64_t count = 1;
  // Vulkan allows one level of arrays; malformed modules could nest them without end.
  if (type->opcode == Op::OpTypeArray || type->opcode == Op::OpTypeRuntimeArray) {
    count = type->opcode == Op::OpTypeArray ? type->count : 0;
    type_id = type->operands[0];
    type = tables.type(type_id);
    if (type == nullptr) {
      return std::nullopt;
    }
  }
  binding.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
  binding.kind = binding_kind(tables, variable.storage, type_id, *type);
  binding.name = tables.name(id);
  if (binding.name.empty()) {
    binding.name = tables.name(type_id);
  }
  binding.read_only = binding.kind == BindingKind::uniform_buffer || binding.kind == BindingKind::sampled_image ||
                      binding.kind == BindingKind::uniform_texel_buffer || binding.kind == BindingKind::sampler ||
                      binding.kind == BindingKind::combined_image_sampler ||
                      tables.decoration(id, Decoration::NonWritable).has_value() ||
                      all_members_read_only(tables, type_id, *type);
  binding.bytes = type->block_bytes;
  binding.unbounded = ends_without_bound(tables, *type);
  binding.image_format = image_format(tables, *type);
  binding.image = image_shape(tables, *type);
  binding.scalars = only_scalar(tables, type_id);
  return binding;
}

void reflect_variables(const Tables& tables, std::uint32_t function, Reflection& reflection) {
  for (const auto id : tables.variables_used_by(function)) {
    const auto& variable = tables.variables.at(id);
    if (variable.storage == StorageClass::PushConstant) {
      const auto* block = tables.type(variable.pointee);
      reflection.constants_bytes = std::max(reflection.constants_bytes, block == nullptr ? 0 : block->block_bytes);
    } else if (variable.storage == StorageClass::Workgroup) {
      const auto* type = tables.type(variable.pointee);
      reflection.groupshared_bytes = saturating_add(reflection.groupshared_bytes, type == nullptr ? 0 : type->bytes);
    } else if (auto binding = reflect_binding(tables, id, variable)) {
      reflection.bindings.push_back(std::move(*binding));
    }
  }
  std::ranges::sort(reflection.bindings, {},
                    [](const ResourceBinding& binding) { return std::tuple(binding.set, binding.slot); });
}

std::vector<SpecializationInfo> reflect_specialization(const Tables& tables) {
  std::vector<SpecializationInfo> found;
  for (const auto& [id, constant] : tables.constants) {
    const auto spec_id = tables.decoration(id, Decoration::SpecId);
    if (!constant.specialized || constant.computed || !constant.constituents.empty() || !spec_id) {
      continue;
    }
    const auto* type = tables.type(constant.type_id);
    const auto scalar = type == nullptr ? std::nullopt : scalar_type(*type);
    if (scalar) {
      found.push_back({*spec_id, tables.name(id), scalar->bits / 8, constant.value, *scalar});
    }
  }
  std::ranges::sort(found, {}, &SpecializationInfo::id);
  return found;
}

// One dimension of the group size: a constant, perhaps one that the pipeline specializes.
Expected<void> set_group_size(const Tables& tables, std::uint32_t id, std::size_t dimension, Reflection& reflection) {
  const auto* constant = tables.constant(id);
  if (constant == nullptr) {
    return fail(ErrorCode::invalid_input, fmt::format("The group size names id {}, which is no constant.", id));
  }
  if (constant->computed) {
    return fail(ErrorCode::unsupported,
                "The group size is computed from specialization constants; use a constant for each dimension.");
  }
  reflection.group_size.at(dimension) = static_cast<std::uint32_t>(constant->value);
  reflection.group_size_constants.at(dimension) =
      constant->specialized ? tables.decoration(id, Decoration::SpecId) : std::nullopt;
  return {};
}

Expected<void> set_group_size(const Tables& tables, std::span<const std::uint32_t> ids, Reflection& reflection) {
  if (ids.size() != 3) {
    return fail(ErrorCode::invalid_input, fmt::format("The group size has {} dimensions instead of 3.", ids.size()));
  }
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    if (auto done = set_group_size(tables, ids[dimension], dimension, reflection); !done) {
      return done;
    }
  }
  return {};
}

Expected<void> reflect_group_size(const Tables& tables, const RawEntryPoint& entry, Reflection& reflection) {
  for (const auto& mode : tables.execution_modes) {
    if (mode.function != entry.function) {
      continue;
    }
    if (static_cast<spv::ExecutionMode>(mode.mode) == spv::ExecutionMode::LocalSize && mode.operands.size() == 3) {
      std::ranges::copy(mode.operands, reflection.group_size.begin());
    }
    if (static_cast<spv::ExecutionMode>(mode.mode) == spv::ExecutionMode::LocalSizeId) {
      if (auto done = set_group_size(tables, mode.operands, reflection); !done) {
        return done;
      }
    }
  }
  // A constant decorated as the built-in WorkgroupSize wins over both.
  for (const auto& [id, constant] : tables.constants) {
    if (tables.decoration(id, Decoration::BuiltIn) == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize)) {
      return set_group_size(tables, constant.constituents, reflection);
    }
  }
  return {};
}

}  // namespace

std::string_view name(BindingKind kind) {
  constexpr std::array<std::string_view, 11> names = {
      "storage buffer",   "uniform buffer",         "storage texel buffer",   "uniform texel buffer",
      "storage image",    "sampled image",          "combined image sampler", "sampler",
      "input attachment", "acceleration structure", "unknown resource"};
  return names.at(static_cast<std::size_t>(kind));
}

const ExecutionMode* Reflection::find_mode(std::uint32_t mode) const {
  const auto found = std::ranges::find(execution_modes, mode, &ExecutionMode::mode);
  return found == execution_modes.end() ? nullptr : &*found;
}

bool Reflection::has_capability(std::uint32_t capability) const {
  return std::ranges::find(capabilities, capability) != capabilities.end();
}

Expected<Reflection> reflect(std::span<const std::uint32_t> words, std::string_view entry_point) {
  auto tables = make_tables(words);
  if (!tables) {
    return tl::unexpected<Error>(std::move(tables.error()));
  }
  Reflection reflection;
  reflection.version = tables->header.version;
  std::vector<std::string> names;
  for (const auto& entry : tables->entry_points) {
    reflection.entry_points.push_back({entry.name, entry.model});
    names.push_back(entry.name);
  }
  const auto entry = std::ranges::find(tables->entry_points, entry_point, &RawEntryPoint::name);
  if (entry == tables->entry_points.end()) {
    return fail(ErrorCode::invalid_argument,
                names.empty() ? fmt::format("The module has no entry point, so \"{}\" cannot be run.", entry_point)
                              : fmt::format(R"(The module has no entry point "{}"; it has "{}".)", entry_point,
                                            fmt::join(names, R"(", ")")));
  }
  reflection.entry_point = {entry->name, entry->model};
  reflection.capabilities = tables->capabilities;
  reflection.extensions = tables->extensions;
  for (const auto& mode : tables->execution_modes) {
    if (mode.function == entry->function) {
      reflection.execution_modes.push_back({mode.mode, mode.operands});
    }
  }
  reflect_variables(*tables, entry->function, reflection);
  reflection.specialization = reflect_specialization(*tables);
  if (auto done = reflect_group_size(*tables, *entry, reflection); !done) {
    return tl::unexpected<Error>(std::move(done.error()));
  }
  return reflection;
}

}  // namespace crosslane::spirv
