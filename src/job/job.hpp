// A job: what to dispatch, on which buffers, and which results are right. The names of fields are those of LLVM's
// offload test suite, whose pipeline YAML is the text form.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crosslane/image.hpp"
#include "job/format.hpp"

namespace crosslane::job {

/// The size of a texture, of level 0.
struct TextureSize {
  std::array<std::uint32_t, 3> extent = {1, 1, 1};
  std::uint32_t levels = 1;
  std::uint32_t layers = 1;
};

/// A named buffer, or an array of them: one block of bytes per element, all of one size.
struct JobBuffer {
  std::string name;
  Format format = Format::hex32;
  std::uint32_t channels = 1;              ///< of a texel
  std::uint32_t stride = 0;                ///< bytes of a structure; 0 where it has none
  std::optional<TexelFormat> texels = {};  ///< of a typed buffer, where format and channels do not say it
  /// Of textures; their bytes are layer after layer, each with its levels from the largest on.
  std::optional<TextureSize> texture = {};
  std::vector<std::vector<std::byte>> elements;
  bool made_up = false;  ///< nobody said how large it is

  /// Bytes of one block; the same for all.
  [[nodiscard]] std::uint64_t bytes() const { return elements.empty() ? 0 : elements.front().size(); }
};

enum class ResourceKind : std::uint8_t {
  typed_buffer,  // Buffer
  structured_buffer,
  byte_address_buffer,
  rw_typed_buffer,  // RWBuffer
  rw_structured_buffer,
  rw_byte_address_buffer,
  constant_buffer,
  texture,
  rw_texture,
  sampler,
};

/// The name in a job's text: "RWStructuredBuffer", …; of all textures "Texture" and "RWTexture".
std::string_view name(ResourceKind kind);

/// HLSL's `register(u0, space1)`; the letter follows from the resource's kind.
struct Register {
  std::uint32_t number = 0;
  std::uint32_t space = 0;
};

/// What Texture1D, RWTexture2DArray and their like say behind "Texture".
struct TextureShape {
  std::uint32_t dimensions = 2;
  bool cube = false;
  friend bool operator==(const TextureShape&, const TextureShape&) = default;
};

/// A buffer, a texture or a sampler shown to the shader.
struct Resource {
  std::string buffer;  ///< its name, or the sampler's
  ResourceKind kind = ResourceKind::structured_buffer;
  std::uint32_t set = 0;  ///< place of its list in DescriptorSets: the descriptor set of `vulkan_binding`
  std::optional<Register> directx;
  std::optional<std::uint32_t> vulkan_binding;
  std::optional<std::uint32_t> counter_binding;  ///< of the hidden counter
  bool has_counter = false;
  TextureShape texture = {};  ///< of textures
};

struct JobSampler {
  std::string name;
  Sampler sampler;
};

enum class Rule : std::uint8_t { exact, ulp, epsilon };

/// "BufferExact", "BufferFloatULP" or "BufferFloatEpsilon".
std::string_view name(Rule rule);

/// Where a denormal is expected: `any` takes a zero of its sign too; the others take what is expected.
enum class DenormMode : std::uint8_t { any, flush_to_zero, preserve };

struct ExpectedResult {
  std::string name;
  Rule rule = Rule::exact;
  std::string actual;    ///< name of a buffer
  std::string expected;  ///< name of a buffer
  std::uint64_t ulps = 0;
  double epsilon = 0;
  double zero_tolerance = 0;  ///< distance from an expected zero that ULPs cannot measure
  DenormMode denormals = DenormMode::any;
};

struct JobConstant {
  std::uint32_t id = 0;
  Format format = Format::uint32;
  std::uint64_t bits = 0;
};

struct Job {
  std::string entry_point = "main";
  std::array<std::uint32_t, 3> groups = {1, 1, 1};
  std::vector<JobBuffer> buffers;
  std::vector<JobSampler> samplers;
  std::vector<Resource> resources;
  std::vector<ExpectedResult> results;
  std::vector<JobConstant> constants;  ///< specialization constants
  std::vector<std::byte> push_constants;
  std::vector<std::string> notes;  ///< what the text says and this program does not need
  std::vector<std::string> lacks;  ///< what the job asks for and no device here has: it cannot run

  /// The buffer of that name, or null.
  [[nodiscard]] const JobBuffer* find(std::string_view buffer) const;
  [[nodiscard]] JobBuffer* find(std::string_view buffer);
  /// The sampler of that name, or null.
  [[nodiscard]] const JobSampler* find_sampler(std::string_view sampler) const;
};

}  // namespace crosslane::job
