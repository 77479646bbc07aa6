// Where an HLSL register lands in Vulkan: registers of one number but different kinds would else share one Binding.
//
// `register(t3, space1)` becomes descriptor set 1, binding 1003. `[[vk::binding(n, set)]]` in the source wins.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace crosslane::compile {

/// HLSL's kinds of registers: b constant buffers, t read-only resources, s samplers, u writable resources.
enum class RegisterKind : std::uint8_t { b, t, s, u };

inline constexpr std::array all_register_kinds = {RegisterKind::b, RegisterKind::t, RegisterKind::s, RegisterKind::u};

/// "b", "t", "s" or "u".
constexpr std::string_view name(RegisterKind kind) {
  constexpr std::array<std::string_view, 4> names = {"b", "t", "s", "u"};
  return names[static_cast<std::size_t>(kind)];
}

/// Register numbers that fit between two kinds; a source that uses more of one kind needs `[[vk::binding]]`.
inline constexpr std::uint32_t registers_per_kind = 1000;

/// What is added to a register's number: b 0, t 1000, s 2000, u 3000.
constexpr std::uint32_t binding_shift(RegisterKind kind) {
  return registers_per_kind * static_cast<std::uint32_t>(kind);
}

/// The Vulkan binding of a register; its space is the descriptor set.
constexpr std::uint32_t binding_of(RegisterKind kind, std::uint32_t number) { return binding_shift(kind) + number; }

}  // namespace crosslane::compile
