// Variables: where buffers, groupshared memory, inputs and the memory of functions are.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "machine/decode/access.hpp"
#include "machine/decode/decoder.hpp"
#include "machine/decode/layout.hpp"
#include "machine/handlers.hpp"

namespace crosslane::machine {
namespace {

using spv::Op;
using spv::StorageClass;

// Registers that a variable of a function may fill, per wave.
constexpr std::uint64_t largest_variable_bytes = std::uint64_t{64} << 20U;

std::optional<BuiltIn> built_in(std::uint32_t number) {
  switch (static_cast<spv::BuiltIn>(number)) {
    case spv::BuiltIn::WorkgroupId:
      return BuiltIn::workgroup_id;
    case spv::BuiltIn::NumWorkgroups:
      return BuiltIn::num_workgroups;
    case spv::BuiltIn::LocalInvocationId:
      return BuiltIn::local_invocation_id;
    case spv::BuiltIn::GlobalInvocationId:
      return BuiltIn::global_invocation_id;
    case spv::BuiltIn::LocalInvocationIndex:
      return BuiltIn::local_invocation_index;
    case spv::BuiltIn::SubgroupId:
      return BuiltIn::subgroup_id;
    case spv::BuiltIn::NumSubgroups:
      return BuiltIn::num_subgroups;
    case spv::BuiltIn::SubgroupSize:
      return BuiltIn::subgroup_size;
    case spv::BuiltIn::SubgroupLocalInvocationId:
      return BuiltIn::subgroup_lane;
    case spv::BuiltIn::SubgroupEqMask:
      return BuiltIn::subgroup_eq_mask;
    case spv::BuiltIn::SubgroupGeMask:
      return BuiltIn::subgroup_ge_mask;
    case spv::BuiltIn::SubgroupGtMask:
      return BuiltIn::subgroup_gt_mask;
    case spv::BuiltIn::SubgroupLeMask:
      return BuiltIn::subgroup_le_mask;
    case spv::BuiltIn::SubgroupLtMask:
      return BuiltIn::subgroup_lt_mask;
    case spv::BuiltIn::DeviceIndex:
      return BuiltIn::device_index;
    default:
      return std::nullopt;
  }
}

Expected<Pointer> input(Decoder& decoder, const spirv::Statement& statement, std::uint32_t pointee) {
  const auto number = decoder.module().tables.decoration(statement.result_id, spv::Decoration::BuiltIn);
  const auto what = number ? built_in(*number) : std::nullopt;
  if (!what) {
    return decoder.refuse(statement, number ? fmt::format("the built-in {}", *number) : "inputs other than built-ins");
  }
  const auto elements = decoder.leaves(pointee);
  const std::uint64_t scalars = elements ? elements->size() : 0;
  if (scalars != components_of(*what) || bytes_of(decoder.element(pointee)) != 4) {
    return decoder.malformed(statement, "a built-in has a type of its own");
  }
  Pointer pointer;
  pointer.kind = PointerKind::built_in;
  pointer.rows =
      decoder.builder().allocate_pinned(static_cast<std::uint32_t>(scalars) * decoder.row_bytes(Element::int32));
  pointer.leaves = static_cast<std::uint32_t>(scalars);
  pointer.layout = Layout::leaves;
  decoder.builder().set_built_in(*what, pointer.rows);
  return pointer;
}

Expected<Pointer> resource(Decoder& decoder, const spirv::Statement& statement, StorageClass storage,
                           std::uint32_t pointee) {
  const auto& tables = decoder.module().tables;
  const auto set = tables.decoration(statement.result_id, spv::Decoration::DescriptorSet).value_or(0);
  const auto slot = tables.decoration(statement.result_id, spv::Decoration::Binding).value_or(0);
  const auto& bindings = decoder.program().bindings;
  const auto found = std::ranges::find_if(
      bindings, [&](const BindingRoots& binding) { return binding.set == set && binding.slot == slot; });
  if (found == bindings.end()) {
    return decoder.malformed(statement, "a resource has no binding");
  }
  Pointer pointer;
  pointer.kind = storage == StorageClass::UniformConstant ? PointerKind::resource : PointerKind::rooted;
  pointer.root = found->first_root;
  const auto& type = decoder.type(pointee);
  if (type.opcode == Op::OpTypeArray || type.opcode == Op::OpTypeRuntimeArray) {
    pointer.descriptors = found->count;
  }
  const auto is = [&](spv::Decoration decoration) {
    return tables.decoration(statement.result_id, decoration).has_value();
  };
  pointer.coherent = is(spv::Decoration::Coherent) || is(spv::Decoration::Volatile);
  return pointer;
}

Expected<Pointer> place(Decoder& decoder, const spirv::Statement& statement, StorageClass storage,
                        std::uint32_t pointee) {
  Pointer pointer;
  switch (storage) {
    case StorageClass::Input:
      return input(decoder, statement, pointee);
    case StorageClass::StorageBuffer:
    case StorageClass::Uniform:
    case StorageClass::UniformConstant:
      return resource(decoder, statement, storage, pointee);
    case StorageClass::PushConstant:
      pointer.root = constants_root;
      return pointer;
    case StorageClass::Workgroup: {
      auto& bytes = decoder.program().groupshared_bytes;
      pointer.layout = Layout::packed;
      pointer.root = groupshared_root;
      bytes = (bytes + 15) / 16 * 16;
      pointer.constant = bytes;
      bytes = spirv::saturating_add(bytes, size_of(decoder, pointee, Layout::packed));
      decoder.program().groupshared.push_back(
          {decoder.module().tables.name(statement.result_id), pointer.constant, bytes - pointer.constant});
      if (bytes > largest_groupshared_bytes) {
        return decoder.refuse(statement,
                              fmt::format("groupshared memory of more than {} bytes", largest_groupshared_bytes));
      }
      return pointer;
    }
    case StorageClass::Private:
    case StorageClass::Function:
      return allocate_variable(decoder, statement, pointee);
    default:
      return decoder.refuse(statement,
                            fmt::format("variables of the storage class {}", static_cast<unsigned>(storage)));
  }
}

}  // namespace

Expected<Pointer> allocate_variable(Decoder& decoder, const spirv::Statement& statement, std::uint32_t pointee) {
  const auto elements = decoder.leaves(pointee);
  if (!elements) {
    return tl::unexpected<Error>(elements.error());
  }
  Pointer pointer;
  pointer.kind = PointerKind::variable;
  pointer.pointee = pointee;
  pointer.layout = Layout::leaves;
  pointer.leaves = static_cast<std::uint32_t>(elements->size());
  const bool alike =
      std::ranges::all_of(*elements, [&](Element one) { return bytes_of(one) == bytes_of((*elements)[0]); });
  pointer.slot = alike && !elements->empty() ? bytes_of((*elements)[0]) : 8;
  const auto bytes = std::uint64_t{pointer.leaves} * pointer.slot * decoder.padded();
  if (bytes > largest_variable_bytes) {
    return decoder.refuse(statement, "so large a variable");
  }
  pointer.rows = decoder.builder().allocate_pinned(static_cast<std::uint32_t>(bytes));
  return pointer;
}

Expected<void> decode_variable(Decoder& decoder, const spirv::Statement& statement) {
  const auto words = decoder.module().operands(statement);
  const auto storage = static_cast<StorageClass>(words[2]);
  const auto pointee = decoder.type(statement.type_id).operands[1];
  auto pointer = place(decoder, statement, storage, pointee);
  if (!pointer) {
    return tl::unexpected<Error>(std::move(pointer.error()));
  }
  pointer->pointee = pointee;
  decoder.set_value(statement.result_id, {statement.type_id, {}, *pointer});
  if (storage != StorageClass::Private && storage != StorageClass::Function && storage != StorageClass::Workgroup) {
    return {};
  }
  if (words.size() > 3) {
    auto initial = decoder.value(words[3]);
    return initial ? store(decoder, statement, *pointer, *initial)
                   : Expected<void>(tl::unexpected<Error>(std::move(initial.error())));
  }
  // What nothing was stored in reads as zero, so that results do not depend on what ran before. Groupshared memory is
  // cleared with its group.
  if (pointer->kind == PointerKind::variable && pointer->leaves != 0) {
    decoder.follow_fill(pointer->rows, pointer->leaves, pointer->slot, Cause::uninitialized_variable);
    decoder.builder().emit(
        {.handler = zero_handler(), .dst = pointer->rows, .count = pointer->leaves * pointer->slot * decoder.padded()});
  }
  return {};
}

Expected<void> decode_globals(Decoder& decoder, std::uint32_t entry_point) {
  const auto used = decoder.module().tables.variables_used_by(entry_point);
  for (const auto& statement : decoder.module().globals) {
    if (statement.opcode == Op::OpVariable && used.contains(statement.result_id)) {
      if (auto decoded = decode_variable(decoder, statement); !decoded) {
        return decoded;
      }
    }
  }
  return {};
}

}  // namespace crosslane::machine
