// The Direct3D 12 back end: what its lists, buffers and pipelines promise beside what the algorithms' tests see of
// them. Run by scripts/test-d3d12.sh, which sets the device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "crosslane/d3d12.hpp"
#include "crosslane/machine.hpp"
#include "kernels/kernel.hpp"
#include "kernels/measure/hash.hlsli"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::device;
using test::fails;
using test::must;
using Words = std::vector<std::uint32_t>;

std::unique_ptr<Buffer> buffer_of(const Words& words) {
  auto buffer = must(device().create_buffer({words.size() * sizeof(std::uint32_t)}));
  must(upload(device(), *buffer, std::as_bytes(std::span(words))));
  return buffer;
}

Words content(Buffer& buffer, std::size_t words) {
  Words found(words);
  must(download(device(), buffer, std::as_writable_bytes(std::span(found))));
  return found;
}

Words counting(std::size_t words) {
  Words values(words);
  std::iota(values.begin(), values.end(), 1U);
  return values;
}

constexpr kernel_interface::WordPattern any_bits{~0U, 0, ~0U, 0};  // the hashes as they are

const Kernel& hash_fill() { return *find_kernel(kernels(), "measure.hash_fill"); }

std::unique_ptr<Pipeline> hash_pipeline() {
  return must(device().create_pipeline({.spirv = hash_fill().spirv, .name = "hashes", .dxil = hash_fill().dxil}));
}

// Records that `count` words become the hashes of the numbers from `first` on.
Expected<void> record_hashes(CommandList& list, const Pipeline& pipeline, const Binding& words, std::uint32_t first,
                             std::uint32_t count) {
  const kernel_interface::HashFillParams params{any_bits, first, count, 1};
  return list.dispatch(pipeline, {&words, 1}, std::as_bytes(std::span(&params, 1)), {1, 1, 1});
}

Words hashes(std::uint32_t first, std::size_t count) {
  Words words(count);
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = kernel_interface::hash_of(first + static_cast<std::uint32_t>(i));
  }
  return words;
}

TEST(D3d12, SaysWhatItIs) {
  const auto& info = device().info();
  EXPECT_EQ(info.id, "d3d12:0");
  EXPECT_GE(info.shader_model[0], 6U);
  EXPECT_FALSE(info.name.empty());
  EXPECT_EQ(info.uuid.size(), 32U);
  EXPECT_TRUE(info.features.wave_shuffle);
}

TEST(D3d12, CopiesBetweenBuffersAndInsideOne) {
  const auto source = buffer_of(counting(8));
  const auto target = buffer_of(Words(8));
  const auto list = must(device().create_command_list());
  must(list->copy(*source, 4, *target, 12, 16));
  must(list->barrier());
  must(list->copy(*target, 12, *target, 0, 8));
  must(run(device(), *list));
  EXPECT_EQ(content(*target, 8), (Words{2, 3, 0, 2, 3, 4, 5, 0}));
}

TEST(D3d12, FillsOrderedByBarriersWithCopiesAndDispatches) {
  const auto pipeline = hash_pipeline();
  const auto words = buffer_of(Words(300));
  const auto other = buffer_of(Words(300));
  const auto list = must(device().create_command_list());
  must(list->fill(*words, 4, 296 * 4, 0xABCD1234U));
  must(list->barrier());
  must(list->copy(*words, 0, *other, 0, 1200));
  must(list->barrier());
  must(record_hashes(*list, *pipeline, {.slot = 0, .buffer = words.get()}, 7, 200));
  must(list->barrier());
  must(list->fill(*words, 0, 8, 5));
  must(run(device(), *list));
  Words expected = hashes(7, 300);
  std::fill(expected.begin() + 200, expected.end(), 0xABCD1234U);
  expected[0] = expected[1] = 5;
  std::fill(expected.begin() + 297, expected.end(), 0U);
  EXPECT_EQ(content(*words, 300), expected);
  Words filled(300, 0xABCD1234U);
  filled[0] = filled[297] = filled[298] = filled[299] = 0;
  EXPECT_EQ(content(*other, 300), filled);
}

TEST(D3d12, WritesThroughARangeAndNowhereElse) {
  const auto pipeline = hash_pipeline();
  const auto words = buffer_of(Words(256));
  const auto list = must(device().create_command_list());
  // 100 words are asked for and 64 shown: what is written outside of a view is dropped.
  must(record_hashes(*list, *pipeline, {.slot = 0, .buffer = words.get(), .offset = 256, .bytes = 256}, 0, 100));
  must(run(device(), *list));
  Words expected(256);
  std::ranges::copy(hashes(0, 64), expected.begin() + 64);
  EXPECT_EQ(content(*words, 256), expected);
}

TEST(D3d12, TakesGroupsFromABufferThatTheDispatchWrites) {
  const auto pipeline = hash_pipeline();
  const auto words = buffer_of({9, 1, 1, 1, 9, 9, 9, 9});
  const auto list = must(device().create_command_list());
  const kernel_interface::HashFillParams params{any_bits, 3, 8, 1};
  const Binding binding{.slot = 0, .buffer = words.get()};
  must(list->dispatch_indirect(*pipeline, {&binding, 1}, std::as_bytes(std::span(&params, 1)), {words.get(), 4}));
  must(run(device(), *list));
  EXPECT_EQ(content(*words, 8), hashes(3, 8));
}

TEST(D3d12, UsesMoreDescriptorsThanOneHeapHas) {
  const auto pipeline = hash_pipeline();
  const auto words = buffer_of(Words(700));
  const auto list = must(device().create_command_list());
  for (std::uint32_t i = 0; i < 700; ++i) {
    must(record_hashes(*list, *pipeline, {.slot = 0, .buffer = words.get()}, i, 1));
    must(list->barrier());
  }
  must(run(device(), *list));
  EXPECT_EQ(content(*words, 1), hashes(699, 1));
}

TEST(D3d12, TimestampsRise) {
  const auto words = buffer_of(Words(1U << 16U));
  const auto list = must(device().create_command_list());
  for (std::uint32_t i = 0; i < 70; ++i) {  // more than one pool has
    EXPECT_EQ(must(list->timestamp()), i);
    must(list->fill(*words, 0, words->bytes(), i));
    must(list->barrier());
  }
  EXPECT_TRUE(fails(device().timestamps(*list), ErrorCode::invalid_argument, "not there yet"));
  must(run(device(), *list));
  const auto times = must(device().timestamps(*list));
  ASSERT_EQ(times.size(), 70U);
  EXPECT_EQ(times.front(), 0);
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_GT(times.back(), 0);
}

TEST(D3d12, RefusesShadersThatItCannotRun) {
  const auto spirv = hash_fill().spirv;
  EXPECT_TRUE(fails(device().create_pipeline({.spirv = spirv, .name = "only"}), ErrorCode::unsupported, "has no DXIL"));
  EXPECT_TRUE(fails(device().create_pipeline({.spirv = spirv, .wave_size = 128, .name = "s", .dxil = hash_fill().dxil}),
                    ErrorCode::unsupported, "lanes only, not 128"));
  EXPECT_TRUE(fails(device().create_pipeline({.constants = {{5, 1}}, .name = "s", .dxil = hash_fill().dxil}),
                    ErrorCode::invalid_argument, "no specialization constant 5"));
  DxilShader broken = hash_fill().dxil.front();
  const Words nonsense(64, 7);
  broken.container = nonsense;
  EXPECT_TRUE(fails(device().create_pipeline({.name = "nonsense", .dxil = {&broken, 1}}), ErrorCode::unsupported,
                    "does not take shader \"nonsense\""));
  DxilShader sized = hash_fill().dxil.front();
  sized.wave_size = 128;
  EXPECT_TRUE(
      fails(device().create_pipeline({.name = "sized", .dxil = {&sized, 1}}), ErrorCode::unsupported, "128 lanes"));
}

TEST(D3d12, RefusesBindingsThatDoNotFit) {
  const auto pipeline = hash_pipeline();
  const auto words = buffer_of(Words(256));
  const auto list = must(device().create_command_list());
  const auto bind = [&](const Binding& binding) { return record_hashes(*list, *pipeline, binding, 0, 1); };
  constexpr auto invalid = ErrorCode::invalid_argument;
  EXPECT_TRUE(fails(bind({.slot = 1, .buffer = words.get()}), invalid, "set 0, binding 0: no buffer is bound"));
  EXPECT_TRUE(fails(bind({.slot = 0}), invalid, "null buffer"));
  EXPECT_TRUE(fails(bind({.slot = 0, .buffer = words.get(), .offset = 4}), invalid, "not a multiple of the 256"));
  EXPECT_TRUE(fails(bind({.slot = 0, .buffer = words.get(), .offset = 1024}), invalid, "no bytes are left"));
  EXPECT_TRUE(fails(bind({.slot = 0, .buffer = words.get(), .bytes = 1028}), invalid, "outside"));
  const auto mapped = must(device().create_buffer({64, MemoryKind::readback}));
  EXPECT_TRUE(fails(bind({.slot = 0, .buffer = mapped.get()}), ErrorCode::unsupported, "cannot write memory"));
  const auto machine = must(machine::create_device());
  const auto foreign = must(machine->create_buffer({64}));
  EXPECT_TRUE(fails(bind({.slot = 0, .buffer = foreign.get()}), invalid, "another device"));
  const std::array twice = {Binding{.slot = 0, .buffer = words.get()}, Binding{.slot = 0, .buffer = words.get()}};
  const kernel_interface::HashFillParams params{};
  EXPECT_TRUE(fails(list->dispatch(*pipeline, twice, std::as_bytes(std::span(&params, 1)), {1, 1, 1}), invalid,
                    "two buffers are bound"));
  EXPECT_TRUE(fails(list->dispatch(*pipeline, {twice.data(), 1}, {}, {1, 1, 1}), invalid, "28 bytes of constants"));
}

TEST(D3d12, RefusesMemoryThatDirect3DCannotUseSo) {
  const auto upload_memory = must(device().create_buffer({64, MemoryKind::upload}));
  const auto readback = must(device().create_buffer({64, MemoryKind::readback}));
  const auto list = must(device().create_command_list());
  EXPECT_TRUE(fails(list->fill(*readback, 0, 64, 0), ErrorCode::unsupported, "memory of the device alone"));
  EXPECT_TRUE(fails(list->copy(*readback, 0, *upload_memory, 0, 64), ErrorCode::unsupported, "of that kind"));
  EXPECT_TRUE(fails(device().create_buffer({0}), ErrorCode::invalid_argument, "0 bytes"));
  EXPECT_TRUE(fails(device().create_buffer({~std::uint64_t{0}}), ErrorCode::invalid_argument, "use several buffers"));
}

TEST(D3d12, ListsRunOnce) {
  const auto list = must(device().create_command_list());
  EXPECT_TRUE(fails(device().wait(*list), ErrorCode::invalid_argument, "not submitted"));
  must(run(device(), *list));
  EXPECT_TRUE(fails(device().submit(*list), ErrorCode::invalid_argument, "submitted already"));
  EXPECT_TRUE(fails(d3d12::end_recording(device(), *list), ErrorCode::invalid_argument, "no adopted one"));
}

TEST(D3d12, AdoptsNothingOfNull) {
  EXPECT_TRUE(fails(d3d12::adopt(nullptr, nullptr), ErrorCode::invalid_argument, "null device"));
  EXPECT_TRUE(fails(d3d12::adopt_buffer(device(), nullptr, 4), ErrorCode::invalid_argument, "null buffer"));
  EXPECT_TRUE(fails(d3d12::adopt_command_list(device(), nullptr), ErrorCode::invalid_argument, "null command list"));
  const auto machine = must(machine::create_device());
  EXPECT_TRUE(fails(d3d12::adopt_command_list(*machine, nullptr), ErrorCode::invalid_argument, "no device of the"));
}

}  // namespace
}  // namespace crosslane
