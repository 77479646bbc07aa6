#include "device/choose.hpp"

#include <gtest/gtest.h>

#include "support/expected.hpp"

namespace crosslane {
namespace {

using test::fails;
using test::must;

DeviceInfo make_info(std::string id, std::string name, DeviceKind kind) {
  DeviceInfo info;
  info.id = std::move(id);
  info.name = std::move(name);
  info.kind = kind;
  return info;
}

Expected<std::unique_ptr<Device>> open_nothing(std::size_t index, std::optional<std::uint32_t> /*wave_size*/) {
  return fail(ErrorCode::device, "opened " + std::to_string(index));
}

DeviceList three_devices() {
  DeviceList list;
  list.add({make_info("vulkan:0", "llvmpipe (LLVM 15)", DeviceKind::software),
            make_info("vulkan:1", "NVIDIA H200", DeviceKind::gpu),
            make_info("vulkan:2", "NVIDIA GeForce RTX", DeviceKind::gpu)},
           open_nothing);
  return list;
}

TEST(Choose, ById) {
  const auto list = three_devices();
  EXPECT_EQ(must(list.choose("vulkan:0")), 0U);
  EXPECT_EQ(must(list.choose("vulkan:2")), 2U);
  EXPECT_EQ(must(list.choose("Vulkan:2")), 2U);
}

TEST(Choose, ByPartOfTheNameInAnyCase) {
  const auto list = three_devices();
  EXPECT_EQ(must(list.choose("h200")), 1U);
  EXPECT_EQ(must(list.choose("LLVMpipe")), 0U);
  EXPECT_EQ(must(list.choose("(llvm 15)")), 0U);
}

TEST(Choose, AutomaticallyAGpuBeforeSoftware) {
  const auto list = three_devices();
  EXPECT_EQ(must(list.choose()), 1U);
  EXPECT_EQ(must(list.choose("auto")), 1U);
}

TEST(Choose, AutomaticallyWhatIsAccepted) {
  const auto list = three_devices();
  EXPECT_EQ(must(list.choose("auto", [](const DeviceInfo& info) { return info.id != "vulkan:1"; })), 2U);
  EXPECT_EQ(must(list.choose("auto", [](const DeviceInfo& info) { return info.kind == DeviceKind::software; })), 0U);
  const auto none = list.choose("auto", [](const DeviceInfo&) { return false; });
  EXPECT_TRUE(fails(none, ErrorCode::device, "vulkan:1 (NVIDIA H200)"));
  EXPECT_TRUE(fails(none, ErrorCode::device, "None of the devices"));
}

TEST(Choose, AcceptanceIsForAutomaticChoicesOnly) {
  EXPECT_EQ(must(three_devices().choose("vulkan:0", [](const DeviceInfo&) { return false; })), 0U);
}

TEST(Choose, AmbiguousNamesListTheMatches) {
  const auto result = three_devices().choose("nvidia");
  EXPECT_TRUE(fails(result, ErrorCode::invalid_argument, "vulkan:1 (NVIDIA H200), vulkan:2 (NVIDIA GeForce RTX)"));
  EXPECT_TRUE(fails(result, ErrorCode::invalid_argument, "\"nvidia\" means several"));
}

TEST(Choose, UnknownNamesListWhatThereIs) {
  const auto list = three_devices();
  for (const std::string_view wanted : {"radeon", "vulkan:7", "vulkan:x", "vulkan:", "vulkan:-1", "vulkan:1 ",
                                        "vulkan:99999999999999999999", "d3d12:0", ""}) {
    const auto result = list.choose(wanted);
    EXPECT_TRUE(fails(result, ErrorCode::invalid_argument, "\"" + std::string(wanted) + "\""));
    EXPECT_TRUE(fails(result, ErrorCode::invalid_argument, "vulkan:0 (llvmpipe (LLVM 15)), vulkan:1"));
  }
  EXPECT_TRUE(fails(list.choose("vulkan:x"), ErrorCode::invalid_argument, "after \"vulkan:\" comes a number"));
  EXPECT_TRUE(fails(list.choose("vulkan:7"), ErrorCode::invalid_argument, "no device \"vulkan:7\""));
}

TEST(Choose, TheMachineByItsLanes) {
  DeviceList list;
  list.add({make_info("machine", "Wave machine", DeviceKind::machine)}, open_nothing);
  for (const std::string_view wanted : {"machine", "machine:64", "Machine:64", "machine:0", "machine:999"}) {
    EXPECT_EQ(must(list.choose(wanted)), 0U) << wanted;
  }
  EXPECT_EQ(wave_size_in("machine:64"), 64U);
  EXPECT_EQ(wave_size_in("MACHINE:64"), 64U);
  for (const std::string wanted : {"machine:", "machine:x", "machine:-1", "machine:99999999999"}) {
    EXPECT_EQ(wave_size_in(wanted), std::nullopt);
    EXPECT_TRUE(fails(list.choose(wanted), ErrorCode::invalid_argument,
                      "\"" + wanted + "\" is no device: after \"machine:\" comes the number of lanes in a wave"));
  }
  EXPECT_EQ(wave_size_in("machine"), std::nullopt);
}

TEST(Choose, NoDevicesAtAllSayTheMend) {
  DeviceList list;
  list.add_failure({ErrorCode::device, "no loader", {"dlopen failed"}});
  for (const auto* const wanted : {"auto", "vulkan:0", "h200"}) {
    const auto result = list.choose(wanted);
    EXPECT_TRUE(fails(result, ErrorCode::device, "apt install mesa-vulkan-drivers"));
    EXPECT_EQ(result.error().reasons, (std::vector<std::string>{"no loader", "dlopen failed"}));
  }
}

TEST(Choose, OpensThroughTheBackEndThatBroughtTheDevice) {
  DeviceList list;
  list.add({make_info("a:0", "A", DeviceKind::gpu), make_info("a:1", "B", DeviceKind::gpu)}, open_nothing);
  list.add({make_info("b:0", "C", DeviceKind::gpu)},
           [](std::size_t index, std::optional<std::uint32_t> /*wave_size*/) -> Expected<std::unique_ptr<Device>> {
             return fail(ErrorCode::device, "other " + std::to_string(index));
           });
  EXPECT_TRUE(fails(list.open(1), ErrorCode::device, "opened 1"));
  EXPECT_TRUE(fails(list.open(2), ErrorCode::device, "other 0"));
  EXPECT_TRUE(fails(list.open(3), ErrorCode::invalid_argument, "place 3"));
}

}  // namespace
}  // namespace crosslane
