// Shaders for Direct3D 12: a DXIL container, and where its registers stand in Crosslane's bindings.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace crosslane {

/// How a shader sees memory.
enum class DxilView : std::uint8_t {
  constant_buffer,
  structured_buffer,
  byte_address_buffer,
  typed_buffer,
  rw_structured_buffer,
  rw_byte_address_buffer,
  rw_typed_buffer,
  other,  ///< textures, samplers and what else there is: no device of this build binds them
};

/// Registers of one resource, and the Binding that fills them.
struct DxilResource {
  std::uint32_t set = 0;   ///< Binding::set
  std::uint32_t slot = 0;  ///< Binding::slot
  DxilView view = DxilView::other;
  std::uint32_t first_register = 0;
  std::uint32_t space = 0;
  std::uint32_t count = 1;   ///< registers: elements of an array of resources; 0 for one without a fixed size
  std::uint32_t stride = 0;  ///< bytes of an element of a structured buffer
};

/// A constant buffer whose bytes are part of the command list: root constants.
struct DxilConstants {
  std::uint32_t first_register = 0;
  std::uint32_t space = 0;
  std::uint32_t bytes = 0;  ///< 0: the shader has none
};

/// What stands for a specialization constant, which DXIL has not: a 32-bit word in `DxilShader::specialized`.
struct DxilSpecialization {
  std::uint32_t id = 0;
  std::uint32_t offset = 0;         ///< bytes
  std::uint32_t default_value = 0;  ///< where the pipeline says nothing
};

/// One compiled shader. Copied by those who keep it, but for what the spans show.
struct DxilShader {
  std::span<const std::uint32_t> container = {};  ///< with its checksum; empty: there is none
  std::array<std::uint32_t, 3> group_size = {};   ///< threads
  std::uint32_t wave_size = 0;                    ///< lanes that its [WaveSize] asks for; 0: any number
  std::span<const DxilResource> resources = {};
  DxilConstants pushed = {};  ///< what a dispatch hands over
  DxilConstants specialized = {};
  std::span<const DxilSpecialization> specializations = {};
};

}  // namespace crosslane
