// What the wave machine refuses of images, and how it says so.
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "machine/image_run.hpp"
#include "support/expected.hpp"

namespace crosslane::test {
namespace {

TEST(Refusals, NameTheInstructionAndItsLine) {
  const auto refused = [](std::string_view declaration, std::string_view expression, std::string_view part) {
    const auto spirv =
        glsl(fmt::format("#version 460\nlayout(binding = 0) uniform {};\nlayout(binding = 1) buffer Out "
                         "{{ vec4 result; }};\nvoid main() {{\n  result = {};\n}}\n",
                         declaration, expression));
    return fails(run_with_images(spirv, 4, {1, 1, 1}, {}), ErrorCode::unsupported, part);
  };
  EXPECT_TRUE(refused("samplerCube image", "textureLod(image, vec3(1), 0)", "sampling of cubes"));
  EXPECT_TRUE(refused("samplerCube image", "textureLod(image, vec3(1), 0)", "OpImageSampleExplicitLod"));
  EXPECT_TRUE(refused("samplerCube image", "textureLod(image, vec3(1), 0)", "test.comp:5"));
  EXPECT_TRUE(refused("sampler2D image", "textureGrad(image, vec2(1), vec2(1), vec2(1))", "Grad"));
  EXPECT_TRUE(refused("sampler2DMS image", "texelFetch(image, ivec2(1), 0)", "multisampled"));
  EXPECT_TRUE(refused("sampler2DShadow image", "vec4(textureLod(image, vec3(1), 0))", "OpImageSampleDrefExplicitLod"));
}

}  // namespace
}  // namespace crosslane::test
