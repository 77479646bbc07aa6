// A shader for Direct3D 12 as C++, for the tables that embed() writes.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compile/dxil_reflection.hpp"

namespace crosslane::compile {

/// Declarations of which the last is `constexpr crosslane::DxilShader shader`; they want a namespace of their own.
std::string dxil_declarations(const DxilInterface& interface, std::span<const std::uint32_t> container);

/// Writes words as an array's elements.
void write_words(std::span<const std::uint32_t> words, std::string& file);

}  // namespace crosslane::compile
