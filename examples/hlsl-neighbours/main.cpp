// Runs neighbours.hlsl and checks it against a plain loop.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

#include "crosslane/vulkan.hpp"
#include "kernels/kernel.hpp"

std::span<const crosslane::Kernel> neighbours_kernels();  // compiled and embedded by CMakeLists.txt

namespace {

crosslane::Expected<std::vector<float>> smooth(crosslane::Device& device, const std::vector<float>& values) {
  std::vector<float> smoothed(values.size());
  const std::uint64_t bytes = values.size() * sizeof(float);
  constexpr std::uint32_t group_threads = 128;
  const auto groups = static_cast<std::uint32_t>((values.size() + group_threads - 1) / group_threads);

  const auto pipeline = device.create_pipeline({.spirv = neighbours_kernels()[0].spirv, .name = "neighbours"});
  const auto input = device.create_buffer({.bytes = bytes});
  const auto output = device.create_buffer({.bytes = bytes});
  const auto list = device.create_command_list();
  if (!pipeline || !input || !output || !list) {
    return crosslane::fail(crosslane::ErrorCode::device, "the device has no room for this example");
  }
  const std::vector<crosslane::Binding> bindings = {{.slot = 0, .buffer = input->get()},
                                                    {.slot = 1, .buffer = output->get()}};
  return crosslane::upload(device, **input, std::as_bytes(std::span(values)))
      .and_then([&] {
        return (*list)->dispatch(**pipeline, bindings, {}, {groups, 1, 1});
      })
      .and_then([&] { return crosslane::run(device, **list); })
      .and_then([&] { return crosslane::download(device, **output, std::as_writable_bytes(std::span(smoothed))); })
      .map([&] { return smoothed; });
}

bool same_as_loop(const std::vector<float>& values, const std::vector<float>& smoothed) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float before = values[i == 0 ? 0 : i - 1];
    const float after = values[std::min(i + 1, values.size() - 1)];
    const float expected = (before + values[i] + after) / 3;
    if (std::abs(smoothed[i] - expected) > 1e-5F) {
      std::cerr << "element " << i << ": expected " << expected << ", got " << smoothed[i] << '\n';
      return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  constexpr std::size_t count = 1000;  // not a multiple of any wave
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(std::sin(static_cast<float>(i * i)));
  }
  const auto instance = crosslane::vulkan::create_instance();
  const auto device = instance.and_then([](const auto& vulkan) { return vulkan->open(0); });
  const auto smoothed = device.and_then([&](const auto& gpu) { return smooth(*gpu, values); });
  if (!smoothed) {
    std::cerr << smoothed.error().message << '\n';
    return 1;
  }
  if (!same_as_loop(values, *smoothed)) {
    return 1;
  }
  std::cout << "smoothed " << count << " elements at " << (*device)->info().wave_sizes.standard
            << " lanes per wave, as a plain loop does\n";
}
