// Verifies the first Vulkan device and prints the promises that it breaks, and what was observed beside them. Exit
// code: 0 none broken, 1 some, 3 no verdict.
#include <iostream>

#include "crosslane/vulkan.hpp"
#include "verify/conformance.hpp"

int main() {
  const auto instance = crosslane::vulkan::create_instance();
  if (!instance) {
    std::cerr << instance.error().message << '\n';
    return 3;
  }
  const auto device = (*instance)->open(0);
  if (!device) {
    std::cerr << device.error().message << '\n';
    return 3;
  }
  const auto report = crosslane::verify(**device);
  if (!report) {
    std::cerr << report.error().message << '\n';
    return 3;
  }
  for (const crosslane::Promise& promise : report->promises) {
    if (!promise.kept) {
      std::cout << promise.name << ": " << promise.detail << '\n';
    }
  }
  for (const crosslane::Observation& observation : report->observations) {
    std::cout << "(" << observation.name << ": " << observation.value << ")\n";
  }
  return report->all_kept() ? 0 : 1;
}
