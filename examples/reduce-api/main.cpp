#include <iostream>
#include <vector>

#include "crosslane/reduction.hpp"
#include "crosslane/vulkan.hpp"

int main() {
  const std::vector<float> values(1'000'000, 0.5F);

  const auto instance = crosslane::vulkan::create_instance();
  const auto device = instance.and_then([](const auto& vulkan) { return vulkan->open(0); });
  const auto sum = device.and_then(
      [&](const auto& gpu) { return crosslane::reduce<float>(*gpu, values, crosslane::Operator::sum); });
  if (!sum) {
    std::cerr << sum.error().message << '\n';
    return 1;
  }
  std::cout << "the sum of " << values.size() << " values is " << *sum << '\n';
}
