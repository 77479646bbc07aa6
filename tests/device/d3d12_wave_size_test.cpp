// Kernels that are compiled once for any wave size and once for each of some: what their DXIL asks for, and what the
// device makes of it.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compile/dxil_container.hpp"
#include "crosslane/d3d12.hpp"
#include "crosslane/kernel.hpp"
#include "kernels/kernel.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane::wave_size_tests {

std::span<const Kernel> kernels();

namespace {

using test::device;
using test::must;

const std::vector<std::uint32_t> compiled_sizes = {4, 8, 32, 128};

const Kernel& lane_count() { return *find_kernel(kernels(), "lane_count"); }

TEST(WaveSizeVariants, AskForTheirSizeInTheirDxil) {
  const auto variants = lane_count().dxil;
  ASSERT_EQ(variants.size(), 1 + compiled_sizes.size());
  EXPECT_EQ(variants[0].wave_size, 0U);
  EXPECT_FALSE(compile::dxil_wave_size(std::as_bytes(variants[0].container)));
  for (std::size_t i = 0; i < compiled_sizes.size(); ++i) {
    const DxilShader& variant = variants[i + 1];
    EXPECT_EQ(variant.wave_size, compiled_sizes[i]);
    const auto asked = compile::dxil_wave_size(std::as_bytes(variant.container));
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->single(), compiled_sizes[i]);
  }
}

std::uint32_t count_lanes(std::optional<std::uint32_t> wave_size) {
  const auto pipeline = must(device().create_pipeline(
      {.spirv = lane_count().spirv, .wave_size = wave_size, .name = "lane_count", .dxil = lane_count().dxil}));
  constexpr std::size_t threads = 128;
  std::vector<std::uint32_t> words(threads);
  const auto buffer = must(device().create_buffer({sizeof(std::uint32_t) * threads}));
  const auto list = must(device().create_command_list());
  const Binding binding{.slot = 0, .buffer = buffer.get()};
  must(list->dispatch(*pipeline, {&binding, 1}, {}, {1, 1, 1}));
  must(run(device(), *list));
  must(download(device(), *buffer, std::as_writable_bytes(std::span(words))));
  EXPECT_EQ(words, std::vector<std::uint32_t>(threads, words[0]));
  EXPECT_EQ(pipeline->wave_size(), words[0]);
  return words[0];
}

TEST(WaveSizeVariants, RunAtTheSizeThatIsAskedFor) {
  const auto& info = device().info();
  if (!info.features.wave_size_control) {
    EXPECT_EQ(count_lanes({}), info.wave_sizes.standard);
    EXPECT_EQ(count_lanes(info.wave_sizes.standard), info.wave_sizes.standard);
    GTEST_SKIP() << info.name << " has shader model " << info.shader_model[0] << "." << info.shader_model[1]
                 << " and waves of " << info.wave_sizes.minimum << " to " << info.wave_sizes.maximum
                 << " lanes: there is nothing to ask for";
  }
  for (const std::uint32_t lanes : compiled_sizes) {
    if (lanes >= info.wave_sizes.minimum && lanes <= info.wave_sizes.maximum) {
      EXPECT_EQ(count_lanes(lanes), lanes);
    }
  }
}

}  // namespace
}  // namespace crosslane::wave_size_tests
