// Runs GLSL shaders on the wave machine with images.
#include "machine/image_run.hpp"

#include <algorithm>

#include "compile/glsl.hpp"
#include "machine/decode/decode.hpp"
#include "machine/launch.hpp"
#include "support/expected.hpp"

namespace crosslane::test {

ShownMemory buffer(std::uint32_t slot, std::span<std::byte> bytes) { return {.slot = slot, .bytes = bytes}; }

ShownMemory typed(std::uint32_t slot, std::span<std::byte> bytes, TexelFormat format, std::uint32_t element) {
  const auto texels = static_cast<std::uint32_t>(bytes.size() / size_of(format));
  return {.slot = slot,
          .element = element,
          .bytes = bytes,
          .image = {.format = format, .dimensions = 1, .extent = {texels, 1, 1}}};
}

std::vector<std::uint32_t> glsl(const std::string& source) {
  compile::GlslRequest request;
  request.file = "test.comp";
  request.source = source;
  return must(compile::compile_glsl(request)).words;
}

Expected<void> run_with_images(std::span<const std::uint32_t> spirv, std::uint32_t wave_size,
                               std::array<std::uint32_t, 3> groups, std::span<const ShownMemory> memory) {
  const auto program = machine::make_program(spirv, {.wave_size = wave_size});
  if (!program) {
    return tl::unexpected<Error>(program.error());
  }
  machine::Launch launch{.groups = groups};
  launch.roots.resize(program->roots);
  launch.images.resize(program->roots);
  for (const auto& shown : memory) {
    const auto binding = std::ranges::find(program->bindings, shown.slot, &machine::BindingRoots::slot);
    if (binding != program->bindings.end()) {
      const auto root = binding->first_root + shown.element;
      launch.roots[root] = {shown.bytes.data(), shown.bytes.size()};
      launch.images[root] = {shown.image, shown.bytes.data(), shown.sampler};
    }
  }
  return machine::run(*program, launch);
}

}  // namespace crosslane::test
