#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "device/plain_vulkan.hpp"
#include "device/shaders.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane::vulkan {
namespace {

using test::fails;
using test::must;
using test::PlainVulkan;

struct Constants {
  std::uint32_t count;
  std::uint32_t addend;
};

// An engine with a device, and Crosslane on top of it.
class Adoption : public testing::TestWithParam<bool> {
 protected:
  void TearDown() override {
    for (const auto& message : engine.messages()) {
      ADD_FAILURE() << "validation layer: " << message;
    }
  }

  PlainVulkan engine{{.vulkan13 = GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(Vulkan12And13, Adoption, testing::Bool());

TEST_P(Adoption, RecordsIntoTheCallersCommandBuffer) {
  constexpr std::uint32_t count = 500;
  constexpr std::uint64_t bytes = std::uint64_t{count} * 4;
  const auto in_memory = engine.make_buffer(bytes);
  const auto out_memory = engine.make_buffer(bytes);
  std::iota(in_memory.words, in_memory.words + count, 0U);

  const auto device = must(adopt(engine.existing()));
  const auto spirv = test::affine_shader();
  const auto pipeline = must(device->create_pipeline({.spirv = spirv, .name = "affine"}));
  const auto in = must(adopt_buffer(*device, in_memory.buffer, bytes));
  const auto out = must(adopt_buffer(*device, out_memory.buffer, bytes));
  EXPECT_EQ(in->bytes(), bytes);
  EXPECT_TRUE(in->host().empty());

  auto* const commands = engine.begin_commands();
  const auto list = must(adopt_command_buffer(*device, commands));
  const std::vector<Binding> bindings = {{0, in.get()}, {1, out.get()}};
  const Constants constants{count, 9};
  must(list->fill(*out, 0, bytes, 0xFFFFFFFF));
  must(list->barrier());
  EXPECT_EQ(must(list->timestamp()), 0U);
  must(list->dispatch(*pipeline, bindings, std::as_bytes(std::span(&constants, 1)), {(count + 63) / 64, 1, 1}));
  EXPECT_EQ(must(list->timestamp()), 1U);
  must(list->barrier());
  EXPECT_TRUE(fails(device->submit(*list), ErrorCode::invalid_argument, "submit that one yourself"));
  EXPECT_TRUE(fails(device->wait(*list), ErrorCode::invalid_argument, "not submitted"));
  engine.end_and_submit_and_wait(commands);

  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(out_memory.words[i], i * 3 + 9);
  }
  const auto times = must(device->timestamps(*list));
  ASSERT_EQ(times.size(), 2U);
  EXPECT_GE(times[1], times[0]);
}

TEST_P(Adoption, WorksLikeAnyOtherDevice) {
  const auto device = must(adopt(engine.existing()));
  const auto buffer = must(device->create_buffer({4096}));
  std::vector<std::uint32_t> words(1024);
  std::iota(words.begin(), words.end(), 7U);
  must(upload(*device, *buffer, std::as_bytes(std::span(words))));
  const auto list = must(device->create_command_list());
  must(list->fill(*buffer, 0, 4, 99));
  must(run(*device, *list));
  std::vector<std::uint32_t> back(1024);
  must(download(*device, *buffer, std::as_writable_bytes(std::span(back))));
  words[0] = 99;
  EXPECT_EQ(back, words);
}

TEST_P(Adoption, TransfersReachAdoptedBuffers) {
  const auto memory = engine.make_buffer(64);
  std::fill_n(memory.words, 16, 5U);
  const auto device = must(adopt(engine.existing()));
  const auto buffer = must(adopt_buffer(*device, memory.buffer, 64));
  const std::vector<std::uint32_t> words = {1, 2, 3};
  must(upload(*device, *buffer, std::as_bytes(std::span(words)), 8));
  EXPECT_EQ(memory.words[1], 5U);
  EXPECT_EQ(memory.words[2], 1U);
  EXPECT_EQ(memory.words[4], 3U);
}

TEST_P(Adoption, UsesOnlyWhatWasEnabled) {
  const auto device = must(adopt(engine.existing()));
  const auto instance = must(create_instance());
  const auto& listed = instance->devices()[0];
  const auto& info = device->info();
  EXPECT_EQ(info.id, "vulkan:0");
  EXPECT_EQ(info.uuid, listed.uuid);
  EXPECT_TRUE(info.features.int64);
  EXPECT_FALSE(info.features.float16);
  EXPECT_FALSE(info.features.int16);
  EXPECT_FALSE(info.features.int64_atomics);
  EXPECT_EQ(info.features.full_waves, GetParam());
  EXPECT_EQ(info.wave_sizes.standard, listed.wave_sizes.standard);
  if (test::expected_wave_size() != 0) {
    EXPECT_EQ(info.wave_sizes.standard, test::expected_wave_size());
  }
  const auto needs_int16 = test::affine_shader({.capabilities = "OpCapability Int16\n",
                                                .declarations = "%short = OpTypeInt 16 0\n%s1 = OpConstant %short 1\n",
                                                .statements = "%s2 = OpIAdd %short %s1 %s1\n"});
  EXPECT_TRUE(fails(device->create_pipeline({.spirv = needs_int16}), ErrorCode::unsupported, "capability Int16"));
}

TEST_P(Adoption, LeavesTheCallersHandlesAlone) {
  for (int round = 0; round < 3; ++round) {
    const auto device = must(adopt(engine.existing()));
    const auto memory = engine.make_buffer(16);
    const auto buffer = must(adopt_buffer(*device, memory.buffer, 16));
    const auto list = must(adopt_command_buffer(*device, engine.begin_commands()));
  }
  const auto memory = engine.make_buffer(16);  // the engine's device is still there
  memory.words[0] = 1;
}

TEST_P(Adoption, RefusesNullHandles) {
  for (int handle = 0; handle < 4; ++handle) {
    auto existing = engine.existing();
    switch (handle) {
      case 0:
        existing.instance = VK_NULL_HANDLE;
        break;
      case 1:
        existing.physical_device = VK_NULL_HANDLE;
        break;
      case 2:
        existing.device = VK_NULL_HANDLE;
        break;
      default:
        existing.queue = VK_NULL_HANDLE;
        break;
    }
    EXPECT_TRUE(fails(adopt(existing), ErrorCode::invalid_argument, "is null"));
  }
  auto existing = engine.existing();
  existing.queue_family = 1000;
  EXPECT_TRUE(fails(adopt(existing), ErrorCode::invalid_argument, "queue_family 1000"));

  const auto device = must(adopt(engine.existing()));
  EXPECT_TRUE(fails(adopt_buffer(*device, VK_NULL_HANDLE, 4), ErrorCode::invalid_argument, "null buffer"));
  EXPECT_TRUE(fails(adopt_buffer(*device, engine.make_buffer(4).buffer, 0), ErrorCode::invalid_argument, "0 bytes"));
  EXPECT_TRUE(fails(adopt_command_buffer(*device, VK_NULL_HANDLE), ErrorCode::invalid_argument, "null"));
}

TEST_P(Adoption, WithoutFeaturesNothingIsUsed) {
  auto existing = engine.existing();
  existing.enabled_features = nullptr;
  existing.enabled_extensions = {};
  const auto device = must(adopt(existing));
  EXPECT_FALSE(device->info().features.int64);
  EXPECT_FALSE(device->info().features.wave_size_control);
}

TEST_P(Adoption, AnAdoptedBufferIsNoUniformBuffer) {
  const auto device = must(adopt(engine.existing()));
  const auto spirv = test::uniform_shader();
  const auto pipeline = must(device->create_pipeline({.spirv = spirv}));
  const auto adopted = must(adopt_buffer(*device, engine.make_buffer(16).buffer, 16));
  const auto out = must(device->create_buffer({16}));
  const auto list = must(device->create_command_list());
  const std::vector<Binding> bindings = {{0, out.get()}, {1, adopted.get(), 0, 0, 2}};
  EXPECT_TRUE(fails(list->dispatch(*pipeline, bindings, {}, {1, 1, 1}), ErrorCode::invalid_argument, "adopted buffer"));
}

}  // namespace
}  // namespace crosslane::vulkan
