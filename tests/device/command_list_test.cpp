#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "device/shaders.hpp"
#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane {
namespace {

using test::device;
using test::fails;
using test::must;

using Words = std::vector<std::uint32_t>;

std::unique_ptr<Buffer> make_buffer(const Words& words, Device& on = device()) {
  auto buffer = must(on.create_buffer({words.size() * sizeof(std::uint32_t)}));
  must(upload(on, *buffer, std::as_bytes(std::span(words))));
  return buffer;
}

Words read(Buffer& buffer) {
  Words words(buffer.bytes() / sizeof(std::uint32_t));
  must(download(device(), buffer, std::as_writable_bytes(std::span(words))));
  return words;
}

Words counting(std::size_t count) {
  Words words(count);
  std::iota(words.begin(), words.end(), 0U);
  return words;
}

std::unique_ptr<Pipeline> make_affine(std::vector<SpecializationConstant> constants = {}) {
  const auto spirv = test::affine_shader();
  return must(device().create_pipeline({spirv, "main", std::move(constants), {}, "affine"}));
}

struct AffineConstants {
  std::uint32_t count;
  std::uint32_t addend;
};

std::span<const std::byte> bytes_of(const AffineConstants& constants) {
  return std::as_bytes(std::span(&constants, 1));
}

// A dispatch that is right, for tests that make one thing wrong.
class Dispatch : public testing::Test {
 protected:
  std::unique_ptr<Pipeline> pipeline = make_affine();
  std::unique_ptr<Buffer> in = make_buffer(counting(100));
  std::unique_ptr<Buffer> out = make_buffer(Words(100));
  std::unique_ptr<CommandList> list = must(device().create_command_list());
  AffineConstants constants{100, 7};
  std::vector<Binding> bindings = {{0, in.get()}, {1, out.get()}};
  GroupCount groups = {2, 1, 1};

  Expected<void> record() { return list->dispatch(*pipeline, bindings, bytes_of(constants), groups); }
};

TEST_F(Dispatch, Computes) {
  must(record());
  must(run(device(), *list));
  const auto words = read(*out);
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_EQ(words[i], i * 3 + 7);
  }
}

TEST_F(Dispatch, NoGroupsDoNothing) {
  groups = {0, 1, 1};
  must(record());
  must(run(device(), *list));
  EXPECT_EQ(read(*out), Words(100));
}

TEST_F(Dispatch, TakesItsGroupsFromABuffer) {
  const auto arguments = make_buffer({99, 2, 1, 1, 0, 1, 1});
  must(list->dispatch_indirect(*pipeline, bindings, bytes_of(constants), {arguments.get(), 4}));
  must(list->barrier());
  // None, so that the first dispatch's results stay.
  constants.addend = 1000;
  must(list->dispatch_indirect(*pipeline, bindings, bytes_of(constants), {arguments.get(), 16}));
  must(run(device(), *list));
  const auto words = read(*out);
  for (std::uint32_t i = 0; i < 100; ++i) {
    ASSERT_EQ(words[i], i * 3 + 7);
  }
}

// A dispatch's groups may be what the one before it computed.
TEST_F(Dispatch, TakesItsGroupsFromTheDispatchBefore) {
  const auto arguments = make_buffer({0, 0, 0});
  const auto third = make_buffer({0, 0, 0});  // 0 * 3 + 1 each
  constants = {3, 1};
  must(list->dispatch(*pipeline, std::vector<Binding>{{0, third.get()}, {1, arguments.get()}}, bytes_of(constants),
                      {1, 1, 1}));
  must(list->barrier());
  constants = {100, 7};
  must(list->dispatch_indirect(*pipeline, bindings, bytes_of(constants), {arguments.get(), 0}));
  must(run(device(), *list));
  const auto words = read(*out);
  EXPECT_EQ(words[63], 63U * 3 + 7);
  EXPECT_EQ(words[64], 0U) << "one group of 64 threads";
}

TEST_F(Dispatch, RefusesGroupsThatAreNotThere) {
  const auto arguments = make_buffer({1, 1, 1});
  const auto refused = [&](const BufferPlace& place) {
    return list->dispatch_indirect(*pipeline, bindings, bytes_of(constants), place);
  };
  EXPECT_TRUE(fails(refused({arguments.get(), 4}), ErrorCode::invalid_argument, "Reading a dispatch's groups"));
  EXPECT_TRUE(fails(refused({arguments.get(), 2}), ErrorCode::invalid_argument, "Reading a dispatch's groups"));
  EXPECT_FALSE(refused({}).has_value());
}

TEST_F(Dispatch, BindsRanges) {
  const auto large = make_buffer(counting(1000));
  const auto alignment = device().info().limits.binding_alignment;
  ASSERT_EQ(alignment % 4, 0U);
  bindings = {{0, large.get(), alignment * 3, 40}, {1, out.get(), alignment}};
  constants.count = 10;
  must(record());
  must(run(device(), *list));
  const auto words = read(*out);
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(words[alignment / 4 + i], (static_cast<std::uint32_t>(alignment * 3 / 4) + i) * 3 + 7);
  }
  EXPECT_EQ(words[0], 0U);
}

TEST_F(Dispatch, ReadsTheLastWordOfAnyBuffer) {
  const auto odd = must(device().create_buffer({5}));
  const Words two = {11, 22};
  must(upload(device(), *odd, std::as_bytes(std::span(two)).first(5)));
  bindings[0].buffer = odd.get();
  constants.count = 2;
  must(record());
  must(run(device(), *list));
  const auto words = read(*out);
  EXPECT_EQ(words[0], 11U * 3 + 7);
  EXPECT_EQ(words[1] & 0xFFU, 22U * 3 + 7);  // the bytes beyond the buffer may be anything
}

TEST_F(Dispatch, TakesBindingsThatTheShaderDoesNotHave) {
  bindings.push_back({9, in.get(), 0, 0, 3});
  must(record());
  must(run(device(), *list));
  EXPECT_EQ(read(*out)[1], 10U);
}

TEST_F(Dispatch, ManyDispatchesInOneList) {
  for (std::uint32_t round = 0; round < 300; ++round) {
    constants.addend = round;
    must(record());
    must(list->barrier());
  }
  must(run(device(), *list));
  EXPECT_EQ(read(*out)[10], 30U + 299U);
}

TEST_F(Dispatch, SpecializationConstants) {
  pipeline = make_affine({{5, 0xABCDEF0000000064}});  // the low word counts
  must(record());
  must(run(device(), *list));
  EXPECT_EQ(read(*out)[2], 207U);
}

TEST_F(Dispatch, UniformBuffersInOtherSets) {
  const auto spirv = test::uniform_shader();
  const auto shader = must(device().create_pipeline({.spirv = spirv}));
  const auto settings = make_buffer({4711, 0, 0, 0});
  const std::vector<Binding> both = {{0, out.get()}, {1, settings.get(), 0, 16, 2}};
  must(list->dispatch(*shader, both, {}, {1, 1, 1}));
  must(run(device(), *list));
  EXPECT_EQ(read(*out)[0], 4711U);
}

TEST_F(Dispatch, RefusesAMissingBinding) {
  bindings.pop_back();
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "binding 1 (out): no buffer is bound"));
}

TEST_F(Dispatch, RefusesABindingGivenTwice) {
  bindings.push_back({0, out.get()});
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "bound twice"));
}

TEST_F(Dispatch, RefusesANullBuffer) {
  bindings[0].buffer = nullptr;
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "null buffer"));
}

TEST_F(Dispatch, RefusesRangesOutsideTheBuffer) {
  bindings[1] = {1, out.get(), 0, 401};
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "401 bytes from byte 0 on lie outside the buffer of 400"));
  bindings[1] = {1, out.get(), 400};
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "no bytes are left"));
  bindings[1] = {1, out.get(), ~std::uint64_t{15}, 32};
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "outside"));
}

TEST_F(Dispatch, RefusesUnalignedOffsets) {
  bindings[0] = {0, in.get(), 1};
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "offset 1 is not a multiple"));
}

TEST_F(Dispatch, RefusesMoreThanOneBindingCanShow) {
  const auto most = device().info().limits.binding_bytes;
  if (most >= device().info().limits.buffer_bytes) {
    GTEST_SKIP() << "this device can bind its largest buffer whole";
  }
  const auto large = must(device().create_buffer({most + 16}));
  bindings[0].buffer = large.get();
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, std::to_string(most)));
  bindings[0].bytes = most;
  must(record());
}

TEST_F(Dispatch, RefusesTooManyGroups) {
  for (std::size_t dimension = 0; dimension < 3; ++dimension) {
    const auto most = device().info().limits.groups.at(dimension);
    if (most == ~std::uint32_t{0}) {
      continue;
    }
    groups = {1, 1, 1};
    groups.at(dimension) = most + 1;
    EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, std::to_string(most + 1) + " thread groups"));
    EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "the " + std::to_string(most)));
  }
}

TEST_F(Dispatch, RefusesConstantsOfAnotherSize) {
  const auto with = [&](std::size_t bytes) {
    const std::vector<std::byte> data(bytes);
    return list->dispatch(*pipeline, bindings, data, groups);
  };
  EXPECT_TRUE(fails(with(0), ErrorCode::invalid_argument, "8 bytes of constants, but 0"));
  EXPECT_TRUE(fails(with(4), ErrorCode::invalid_argument, "8 bytes of constants, but 4"));
  EXPECT_TRUE(fails(with(24), ErrorCode::invalid_argument, "8 bytes of constants, but 24"));
  must(with(8));
  must(with(16));  // with padding at its end
}

TEST_F(Dispatch, RefusesWhatBelongsToAnotherDevice) {
  const auto other = must(test::instance().open(0));
  const auto foreign = make_buffer(counting(100), *other);
  bindings[0].buffer = foreign.get();
  EXPECT_TRUE(fails(record(), ErrorCode::invalid_argument, "another device"));
  const auto foreign_list = must(other->create_command_list());
  EXPECT_TRUE(fails(foreign_list->dispatch(*pipeline, bindings, bytes_of(constants), groups),
                    ErrorCode::invalid_argument, "pipeline of another device"));
  EXPECT_TRUE(fails(device().submit(*foreign_list), ErrorCode::invalid_argument, "list of another device"));
  EXPECT_TRUE(fails(device().wait(*foreign_list), ErrorCode::invalid_argument, "list of another device"));
  EXPECT_TRUE(fails(list->copy(*foreign, 0, *out, 0, 4), ErrorCode::invalid_argument, "another device"));
  EXPECT_TRUE(fails(list->fill(*foreign, 0, 4, 0), ErrorCode::invalid_argument, "another device"));
}

TEST(CommandList, FillsCopiesAndOrders) {
  const auto a = make_buffer(Words(64, 1));
  const auto b = make_buffer(Words(64, 2));
  const auto list = must(device().create_command_list());
  must(list->fill(*a, 16, 32, 0xDEADBEEF));
  must(list->barrier());
  must(list->copy(*a, 12, *b, 40, 24));
  must(list->barrier());
  must(list->copy(*b, 40, *b, 0, 8));
  must(list->fill(*a, 0, 0, 5));
  must(list->copy(*a, 0, *b, 0, 0));
  must(run(device(), *list));

  Words expected_a(64, 1);
  std::fill_n(expected_a.begin() + 4, 8, 0xDEADBEEF);
  Words expected_b(64, 2);
  std::copy_n(expected_a.begin() + 3, 6, expected_b.begin() + 10);
  std::copy_n(expected_b.begin() + 10, 2, expected_b.begin());
  EXPECT_EQ(read(*a), expected_a);
  EXPECT_EQ(read(*b), expected_b);
}

TEST(CommandList, ReadbackBuffersShowWhatWasCopied) {
  const auto source = make_buffer(counting(8));
  const auto host = must(device().create_buffer({32, MemoryKind::readback}));
  const auto list = must(device().create_command_list());
  must(list->copy(*source, 0, *host, 0, 32));
  must(run(device(), *list));
  const auto expected = counting(8);
  EXPECT_TRUE(std::ranges::equal(host->host(), std::as_bytes(std::span(expected))));
}

TEST(CommandList, RefusesWhatAreNoWordsInsideTheBuffer) {
  const auto a = make_buffer(Words(10));
  const auto b = make_buffer(Words(10));
  const auto list = must(device().create_command_list());
  const auto code = ErrorCode::invalid_argument;
  EXPECT_TRUE(fails(list->fill(*a, 2, 4, 0), code, "offset 2 is not a multiple of 4"));
  EXPECT_TRUE(fails(list->fill(*a, 0, 3, 0), code, "size 3 is not a multiple of 4"));
  EXPECT_TRUE(fails(list->fill(*a, 40, 4, 0), code, "outside the buffer of 40 bytes"));
  EXPECT_TRUE(fails(list->fill(*a, 4, ~std::uint64_t{3}, 0), code, "outside"));
  EXPECT_TRUE(fails(list->copy(*a, 1, *b, 0, 4), code, "offset 1"));
  EXPECT_TRUE(fails(list->copy(*a, 0, *b, 2, 4), code, "offset 2"));
  EXPECT_TRUE(fails(list->copy(*a, 0, *b, 0, 5), code, "size 5"));
  EXPECT_TRUE(fails(list->copy(*a, 36, *b, 0, 8), code, "Copying from a buffer"));
  EXPECT_TRUE(fails(list->copy(*a, 0, *b, 36, 8), code, "Copying to a buffer"));
  EXPECT_TRUE(fails(list->copy(*a, 0, *a, 4, 8), code, "overlap"));
}

TEST(CommandList, IsSubmittedOnce) {
  const auto buffer = make_buffer(Words(10));
  const auto list = must(device().create_command_list());
  EXPECT_TRUE(fails(device().wait(*list), ErrorCode::invalid_argument, "not submitted"));
  must(list->fill(*buffer, 0, 40, 9));
  must(device().submit(*list));
  EXPECT_TRUE(fails(device().submit(*list), ErrorCode::invalid_argument, "submitted already"));
  EXPECT_TRUE(fails(list->barrier(), ErrorCode::invalid_argument, "submitted already"));
  EXPECT_TRUE(fails(list->fill(*buffer, 0, 4, 0), ErrorCode::invalid_argument, "submitted already"));
  EXPECT_TRUE(fails(list->timestamp(), ErrorCode::invalid_argument, "submitted already"));
  must(device().wait(*list));
  must(device().wait(*list));
  EXPECT_EQ(read(*buffer), Words(10, 9));
}

TEST(CommandList, MayBeDroppedWhileItRunsOrBefore) {
  const auto buffer = make_buffer(Words(1 << 16));
  {
    const auto list = must(device().create_command_list());
    must(list->fill(*buffer, 0, buffer->bytes(), 3));
    must(device().submit(*list));
  }
  {
    const auto list = must(device().create_command_list());
    must(list->fill(*buffer, 0, 4, 4));
  }
  EXPECT_EQ(read(*buffer), Words(1 << 16, 3));
}

TEST(CommandList, ListsThatFollowOneAnotherSeeEachOthersWork) {
  const auto pipeline = make_affine();
  const auto a = make_buffer(counting(64));
  const auto b = make_buffer(Words(64));
  const AffineConstants constants{64, 1};
  std::vector<std::unique_ptr<CommandList>> lists;
  for (int round = 0; round < 4; ++round) {
    auto* const from = round % 2 == 0 ? a.get() : b.get();
    auto* const to = round % 2 == 0 ? b.get() : a.get();
    const std::vector<Binding> bindings = {{0, from}, {1, to}};
    lists.push_back(must(device().create_command_list()));
    must(lists.back()->dispatch(*pipeline, bindings, bytes_of(constants), {1, 1, 1}));
    must(device().submit(*lists.back()));
  }
  must(device().wait(*lists.back()));
  const auto words = read(*a);
  for (std::uint32_t i = 0; i < 64; ++i) {
    ASSERT_EQ(words[i], i * 81 + 40);
  }
}

TEST(CommandList, AnEmptyListRuns) {
  const auto list = must(device().create_command_list());
  must(run(device(), *list));
  EXPECT_TRUE(must(device().timestamps(*list)).empty());
}

}  // namespace
}  // namespace crosslane
