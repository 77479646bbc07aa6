// The compiler's command line for one request, with the workarounds that its faults ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.hpp"
#include "compile/faults.hpp"

namespace crosslane::compile {

/// Version of HLSL's shader model.
struct ShaderModel {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  [[nodiscard]] constexpr bool at_least(ShaderModel other) const {
    return major != other.major ? major > other.major : minor >= other.minor;
  }
  friend bool operator==(const ShaderModel&, const ShaderModel&) = default;
};

/// The shader model of a compute profile: {6, 2} for "cs_6_2"; nothing for text that is none.
std::optional<ShaderModel> shader_model(std::string_view profile);

/// Which SPIR-V extensions the compiler may use. Only Khronos' own keeps the partitioned capability out.
enum class Extensions : std::uint8_t { khronos, all };

/// The name that stands for the source in messages and in debug information.
std::string source_name(const Request& request);

/// Everything that is handed to the compiler beside the source's text.
std::vector<std::string> arguments_for(const Request& request, const Faults& faults, Extensions extensions);

}  // namespace crosslane::compile
