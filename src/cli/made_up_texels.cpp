#include "cli/made_up_texels.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/image_formats.hpp"
#include "cli/made_up_buffer.hpp"
#include "job/bind.hpp"

namespace crosslane::cli {
namespace {

using spirv::BindingKind;

// Four channels of 32 bits where the shader names no format.
TexelFormat format_of(const spirv::ResourceBinding& binding) {
  using Kind = spirv::ScalarInfo::Kind;
  if (const auto named = texel_format(binding.image_format)) {
    return *named;
  }
  const auto kind = binding.scalars ? binding.scalars->kind : Kind::floating;
  return {kind == Kind::unsigned_integer ? TexelType::u32
          : kind == Kind::signed_integer ? TexelType::i32
                                         : TexelType::f32,
          4};
}

// Threads of the dispatch along each dimension; what has fewer dimensions than those takes the others as layers.
job::TextureSize texture_size(const spirv::ImageShape& shape, std::array<std::uint32_t, 3> threads) {
  constexpr std::uint32_t cube_faces = 6;
  job::TextureSize size;
  std::copy_n(threads.begin(), shape.dimensions, size.extent.begin());
  if (shape.cube) {
    size.extent[0] = size.extent[1] = std::max(threads[0], threads[1]);
    size.layers = cube_faces;
  } else if (shape.arrayed) {
    size.layers = shape.dimensions < threads.size() ? threads[shape.dimensions] : 1;
  }
  return size;
}

}  // namespace

Expected<job::JobBuffer> make_up_texels(std::string name, const ShaderFlags& flags, const spirv::Reflection& shader,
                                        const spirv::ResourceBinding& binding, std::vector<std::string>& notes) {
  job::JobBuffer buffer;
  buffer.name = std::move(name);
  buffer.made_up = true;
  if (binding.kind == BindingKind::sampler) {
    notes.push_back(fmt::format("made up: a linear sampler that clamps for {}", job::place_of(binding)));
    return buffer;
  }
  const bool texture = binding.kind == BindingKind::sampled_image || binding.kind == BindingKind::storage_image;
  if ((!texture && !spirv::is_texel_buffer(binding.kind)) ||
      (texture && (!binding.image || binding.image->multisampled))) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{}: no {}{} is made up, and no job describes one: write a texture and a sampler",
                            job::place_of(binding), texture ? "multisampled or other special " : "",
                            spirv::name(binding.kind)));
  }
  const auto format = format_of(binding);
  const auto threads = threads_of(flags, shader);
  buffer.texels = format;
  buffer.format = storage_format(format.type);
  buffer.channels = format.channels;
  std::uint64_t texels = std::uint64_t{threads[0]} * threads[1] * threads[2];
  std::string what = fmt::format("{} texels", texels);
  if (texture) {
    const auto size = texture_size(*binding.image, threads);
    buffer.texture = size;
    texels = std::uint64_t{size.extent[0]} * size.extent[1] * size.extent[2] * size.layers;
    what = fmt::format("{} x {} x {} texels in {} layer{}", size.extent[0], size.extent[1], size.extent[2], size.layers,
                       size.layers == 1 ? "" : "s");
  }
  const auto bytes = texels * size_of(format);
  if (bytes > most_made_up_bytes) {
    return fail(ErrorCode::invalid_argument, fmt::format("{}: no {} bytes are made up: describe it in a job (--job)",
                                                         job::place_of(binding), bytes));
  }
  buffer.elements = {std::vector<std::byte>(bytes)};
  if (binding.read_only) {
    make_up_numbers(buffer, texels);
  }
  notes.push_back(fmt::format("made up: {} of {} x {}, {} for {}", what, format.channels, crosslane::name(format.type),
                              binding.read_only ? "numbers from a seed" : "zeros", job::place_of(binding)));
  return buffer;
}

}  // namespace crosslane::cli
