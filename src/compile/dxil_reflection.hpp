// What a DXIL shader asks of its host, by the names of the source.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crosslane/dxil.hpp"
#include "crosslane/error.hpp"
#include "spirv/reflection.hpp"

namespace crosslane::compile {

struct NamedResource {
  std::string name;
  DxilView view = DxilView::other;
  std::uint32_t first_register = 0;
  std::uint32_t space = 0;
  std::uint32_t count = 1;   ///< 0 for an array without a fixed size
  std::uint32_t stride = 0;  ///< of structured buffers, bytes
  std::uint32_t bytes = 0;   ///< of constant buffers, to the end of the last member
};

/// A constant outside of all buffers that the source declares; they lie in a buffer that the compiler makes for them.
struct GlobalConstant {
  std::string name;
  std::uint32_t offset = 0;  ///< bytes
};

struct DxilReflection {
  std::array<std::uint32_t, 3> group_size{};
  std::vector<NamedResource> resources;
  std::vector<GlobalConstant> globals;
};

/// The id by which the compiler's library hands out the object that read_dxil_reflection takes; empty in builds without
/// Direct3D 12.
std::optional<std::array<std::byte, 16>> dxil_reflection_id();

/// Reads such an object and releases it.
DxilReflection read_dxil_reflection(void* object);

/// A DxilShader's parts, all but the container.
struct DxilInterface {
  std::array<std::uint32_t, 3> group_size{};
  std::uint32_t wave_size = 0;
  std::vector<DxilResource> resources;
  DxilConstants pushed;
  DxilConstants specialized;
  std::vector<DxilSpecialization> specializations;

  /// Shows these parts, which outlive it, and the container.
  [[nodiscard]] DxilShader shader(std::span<const std::uint32_t> container) const;
};

/// Gives a shader's registers the bindings that its SPIR-V, made of the same source, has for the same names. Errors:
/// `unsupported` for a resource that the SPIR-V does not have, for constants that are neither pushed nor specialize,
/// and for pushed ones that have another size there.
Expected<DxilInterface> dxil_interface(const DxilReflection& dxil, const spirv::Reflection& spirv);

}  // namespace crosslane::compile
