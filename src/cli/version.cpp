#include "cli/version.hpp"

#include <fmt/format.h>
#include <vulkan/vulkan_core.h>

#include "kernels/kernel.hpp"

namespace crosslane::cli {

std::string version() { return CROSSLANE_VERSION; }

std::string version_text() {
  return fmt::format(
      "crosslane {}\n"
      "built with {}, {}, Vulkan headers 1.{}.{}\n"
      "{} kernels embedded",
      version(), CROSSLANE_BUILD_COMPILER, CROSSLANE_BUILD_TYPE, VK_VERSION_MINOR(VK_HEADER_VERSION_COMPLETE),
      VK_HEADER_VERSION, kernels().size());
}

}  // namespace crosslane::cli
