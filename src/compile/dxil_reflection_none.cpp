// In place of dxil_reflection.cpp where Direct3D 12 is no part of the build, and its headers need not be there.
#include "compile/dxil_reflection.hpp"

namespace crosslane::compile {

std::optional<std::array<std::byte, 16>> dxil_reflection_id() { return std::nullopt; }

DxilReflection read_dxil_reflection(void* /*object*/) { return {}; }

}  // namespace crosslane::compile
