// A program on a machine without Vulkan's loader: it runs, and says what to install.
#include <dlfcn.h>

#include <string_view>

#include <gtest/gtest.h>

#include "crosslane/vulkan.hpp"
#include "device/gather.hpp"
#include "support/expected.hpp"

// Stands before the C library's: every other library is opened as always.
extern "C" void* dlopen(const char* file, int mode) {
  if (file != nullptr && std::string_view(file).find("libvulkan") != std::string_view::npos) {
    return nullptr;
  }
  using Open = void* (*)(const char*, int);
  static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));  // NOLINT: dlsym gives functions so
  return next(file, mode);
}

namespace crosslane {
namespace {

using test::fails;

TEST(NoLoader, SaysWhatToInstall) {
  const auto instance = vulkan::create_instance();
  EXPECT_TRUE(fails(instance, ErrorCode::device, "apt install libvulkan1"));
  EXPECT_TRUE(fails(instance, ErrorCode::device, "loader was not found"));
}

TEST(NoLoader, LeavesTheWaveMachine) {
  const auto list = gather_devices();
  EXPECT_EQ(list.failures().size(), 1U);
  ASSERT_EQ(list.devices().size(), 1U);
  EXPECT_EQ(list.devices()[test::must(list.choose())].id, "machine");
}

}  // namespace
}  // namespace crosslane
