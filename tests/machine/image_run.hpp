// Runs GLSL shaders on the wave machine with images, and without any device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crosslane/error.hpp"
#include "machine/image.hpp"

namespace crosslane::test {

/// What one binding of set 0 shows: a storage buffer's bytes, or texels.
struct ShownMemory {
  std::uint32_t slot = 0;
  std::uint32_t element = 0;
  std::span<std::byte> bytes = {};  ///< of buffers, typed ones and images
  ImageDescription image = {};      ///< of typed buffers and images
  Sampler sampler = {};
};

template <typename T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

/// A storage buffer.
ShownMemory buffer(std::uint32_t slot, std::span<std::byte> bytes);

/// A typed buffer.
ShownMemory typed(std::uint32_t slot, std::span<std::byte> bytes, TexelFormat format, std::uint32_t element = 0);

/// The sizes that shaders are run at.
constexpr std::array<std::uint32_t, 3> wave_sizes = {1, 4, 32};

/// The module of a GLSL compute shader; text that does not compile fails the test by an exception.
std::vector<std::uint32_t> glsl(const std::string& source);

/// Runs it at that wave size. Errors: as `machine::make_program` and `machine::run`.
Expected<void> run_with_images(std::span<const std::uint32_t> spirv, std::uint32_t wave_size,
                               std::array<std::uint32_t, 3> groups, std::span<const ShownMemory> memory);

}  // namespace crosslane::test
