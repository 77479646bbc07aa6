// Sums 1 to 100 on the first Vulkan device.
#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>

#include <crosslane/reduction.hpp>
#include <crosslane/vulkan.hpp>

int main() {
  std::vector<std::uint32_t> values(100);
  std::iota(values.begin(), values.end(), 1U);
  const auto instance = crosslane::vulkan::create_instance();
  const auto device = instance.and_then([](const auto& vulkan) { return vulkan->open(0); });
  const auto sum = device.and_then([&](const auto& gpu) { return crosslane::reduce<std::uint32_t>(*gpu, values); });
  if (!sum) {
    std::cerr << sum.error().message << '\n';
    return 1;
  }
  std::cout << *sum << '\n';
}
