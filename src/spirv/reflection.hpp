// What a host must know about a shader to run it, read from its SPIR-V.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crosslane/error.hpp"
#include "spirv/parse.hpp"

namespace crosslane::spirv {

struct EntryPoint {
  std::string name;
  std::uint32_t execution_model = 0;  ///< SPIR-V's number: 5 is GLCompute
};

enum class BindingKind : std::uint8_t {
  storage_buffer,
  uniform_buffer,
  storage_texel_buffer,
  uniform_texel_buffer,
  storage_image,
  sampled_image,
  combined_image_sampler,
  sampler,
  input_attachment,
  acceleration_structure,
  unknown,
};

/// "storage buffer", "uniform buffer", …
std::string_view name(BindingKind kind);

/// Typed buffers, whose bytes are read and written in a format.
constexpr bool is_texel_buffer(BindingKind kind) {
  return kind == BindingKind::storage_texel_buffer || kind == BindingKind::uniform_texel_buffer;
}

/// What shows a range of a buffer, typed ones too.
constexpr bool is_buffer(BindingKind kind) {
  return kind == BindingKind::storage_buffer || kind == BindingKind::uniform_buffer || is_texel_buffer(kind);
}

/// A type of numbers.
struct ScalarInfo {
  enum class Kind : std::uint8_t { boolean, unsigned_integer, signed_integer, floating };
  Kind kind = Kind::unsigned_integer;
  std::uint32_t bits = 32;  ///< 8, 16, 32 or 64
  friend bool operator==(const ScalarInfo&, const ScalarInfo&) = default;
};

/// What a shader takes an image for.
struct ImageShape {
  std::uint32_t dimensions = 2;
  bool cube = false;
  bool arrayed = false;
  bool multisampled = false;
};

/// One resource that the entry point uses.
struct ResourceBinding {
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
  BindingKind kind = BindingKind::unknown;
  std::uint32_t count = 1;            ///< elements of an array of resources; 0 for one without a fixed size
  std::string name;                   ///< the source's, empty where the module keeps no names
  bool read_only = false;             ///< declared so; writable ones may still be read alone
  std::uint64_t bytes = 0;            ///< of a buffer, to the end of its last member of fixed size
  bool unbounded = false;             ///< a buffer that ends in an array without a fixed size
  std::uint32_t image_format = 0;     ///< of texel buffers and images: SPIR-V's number, 0 where the shader names none
  std::optional<ImageShape> image;    ///< of images, not of texel buffers
  std::optional<ScalarInfo> scalars;  ///< the type of all numbers in it, where they have one type
};

struct SpecializationInfo {
  std::uint32_t id = 0;  ///< SpecId
  std::string name;
  std::uint32_t bytes = 4;  ///< 1, 2, 4 or 8; booleans take 4
  std::uint64_t default_value = 0;
  ScalarInfo type;
};

struct ExecutionMode {
  std::uint32_t mode = 0;  ///< SPIR-V's number
  std::vector<std::uint32_t> operands;
};

struct Reflection {
  Version version;
  std::vector<EntryPoint> entry_points;  ///< all of the module
  EntryPoint entry_point;                ///< the one asked for
  /// Threads per group with the constants' default values; zeros where the entry point is no compute shader.
  std::array<std::uint32_t, 3> group_size{};
  /// SpecIds of the constants that set the group size, per dimension.
  std::array<std::optional<std::uint32_t>, 3> group_size_constants;
  std::vector<ResourceBinding> bindings;           ///< sorted by set, then slot
  std::uint64_t constants_bytes = 0;               ///< size of the push constant block, 0 if none
  std::vector<SpecializationInfo> specialization;  ///< sorted by id
  std::vector<std::uint32_t> capabilities;         ///< SPIR-V's numbers, in the module's order
  std::vector<std::string> extensions;
  std::vector<ExecutionMode> execution_modes;  ///< of the entry point
  std::uint64_t groupshared_bytes = 0;         ///< used by the entry point, in variables of workgroup storage

  /// The entry point's mode of that number, or null.
  [[nodiscard]] const ExecutionMode* find_mode(std::uint32_t mode) const;
  [[nodiscard]] bool has_capability(std::uint32_t capability) const;
};

/// Reflects one entry point. Errors: `invalid_input` for words that are no SPIR-V module, `invalid_argument` where the
/// entry point does not exist (the message names those that do), `unsupported` for a group size computed from
/// specialization constants.
Expected<Reflection> reflect(std::span<const std::uint32_t> words, std::string_view entry_point);

}  // namespace crosslane::spirv
