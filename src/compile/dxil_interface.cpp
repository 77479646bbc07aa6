#include <algorithm>

#include <fmt/format.h>

#include "compile/dxil_reflection.hpp"

namespace crosslane::compile {
namespace {

// Where the compiler puts constants that stand outside of all buffers.
constexpr std::string_view globals_name = "$Globals";

const spirv::ResourceBinding* find_binding(const spirv::Reflection& spirv, std::string_view name) {
  const auto found = std::ranges::find(spirv.bindings, name, &spirv::ResourceBinding::name);
  return found == spirv.bindings.end() ? nullptr : &*found;
}

DxilConstants constants_of(const NamedResource& buffer) { return {buffer.first_register, buffer.space, buffer.bytes}; }

Expected<void> add_globals(const DxilReflection& dxil, const NamedResource& buffer, const spirv::Reflection& spirv,
                           DxilInterface& made) {
  if (spirv.specialization.empty() && spirv.constants_bytes != 0) {
    made.pushed = constants_of(buffer);  // a global marked as a push constant
    return {};
  }
  made.specialized = constants_of(buffer);
  for (const auto& global : dxil.globals) {
    const auto found = std::ranges::find(spirv.specialization, global.name, &spirv::SpecializationInfo::name);
    if (found == spirv.specialization.end()) {
      continue;  // one that the module does not use
    }
    if (found->bytes != sizeof(std::uint32_t)) {
      return fail(ErrorCode::unsupported, fmt::format("the specialization constant '{}' is not of 32 bits, which alone "
                                                      "has a form in DXIL",
                                                      global.name));
    }
    made.specializations.push_back({found->id, global.offset, static_cast<std::uint32_t>(found->default_value)});
  }
  return {};
}

}  // namespace

DxilShader DxilInterface::shader(std::span<const std::uint32_t> container) const {
  return {container, group_size, wave_size, resources, pushed, specialized, specializations};
}

Expected<DxilInterface> dxil_interface(const DxilReflection& dxil, const spirv::Reflection& spirv) {
  DxilInterface made;
  made.group_size = dxil.group_size;
  for (const auto& resource : dxil.resources) {
    const auto* const binding = find_binding(spirv, resource.name);
    if (binding != nullptr) {
      made.resources.push_back({binding->set, binding->slot, resource.view, resource.first_register, resource.space,
                                resource.count, resource.stride});
    } else if (resource.name == globals_name) {
      if (auto added = add_globals(dxil, resource, spirv, made); !added) {
        return tl::unexpected(std::move(added.error()));
      }
    } else if (resource.view == DxilView::constant_buffer && spirv.constants_bytes != 0 && made.pushed.bytes == 0) {
      made.pushed = constants_of(resource);  // the one buffer that is no binding there
      if (made.pushed.bytes != spirv.constants_bytes) {
        return fail(
            ErrorCode::unsupported,
            fmt::format("'{}' has {} bytes in Direct3D 12 and {} in Vulkan, where structs and arrays in constant "
                        "buffers lie otherwise: order its members so that these begin at multiples of 16 bytes",
                        resource.name, made.pushed.bytes, spirv.constants_bytes));
      }
    } else {
      return fail(ErrorCode::unsupported,
                  fmt::format("'{}' is a resource of the DXIL alone: the SPIR-V of the same source, which says where "
                              "resources are bound, leaves it out",
                              resource.name));
    }
  }
  return made;
}

}  // namespace crosslane::compile
