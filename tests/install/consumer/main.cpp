// Sums 1 to 100 on the first Vulkan device, and counts the even numbers among them by a functor of its own.
#include <cstdint>
#include <iostream>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <crosslane/compaction.hpp>
#include <crosslane/reduction.hpp>
#include <crosslane/vulkan.hpp>

namespace consumer {

std::span<const crosslane::Kernel> kernels();

crosslane::Expected<std::uint64_t> count_even(crosslane::Device& device, std::span<const std::uint32_t> values) {
  crosslane::CompactionOptions options;
  options.selection = crosslane::ByFunctor{{kernels(), "compact.even"}, {}};
  std::unique_ptr<crosslane::Buffer> input;
  std::unique_ptr<crosslane::Buffer> kept;
  std::unique_ptr<crosslane::Buffer> count;
  std::unique_ptr<crosslane::CommandList> list;
  std::uint64_t even = 0;
  const auto keep = [](auto& place) { return [&place](auto made) { place = std::move(made); }; };
  return device.create_buffer({values.size_bytes()})
      .map(keep(input))
      .and_then([&] { return crosslane::upload(device, *input, std::as_bytes(values)); })
      .and_then([&] { return device.create_buffer({values.size_bytes()}); })
      .map(keep(kept))
      .and_then([&] { return device.create_buffer({sizeof(even)}); })
      .map(keep(count))
      .and_then([&] { return device.create_command_list(); })
      .map(keep(list))
      .and_then([&] { return crosslane::Compaction::create(device, options); })
      .and_then([&](crosslane::Compaction plan) {
        return plan.record(*list, {.input = {input.get()}, .kept = {kept.get()}, .count = {count.get()}}, values.size())
            .and_then([&] { return crosslane::run(device, *list); });
      })
      .and_then([&] { return crosslane::download(device, *count, std::as_writable_bytes(std::span(&even, 1))); })
      .map([&] { return even; });
}

}  // namespace consumer

int main() {
  std::vector<std::uint32_t> values(100);
  std::iota(values.begin(), values.end(), 1U);
  const auto instance = crosslane::vulkan::create_instance();
  const auto device = instance.and_then([](const auto& vulkan) { return vulkan->open(0); });
  const auto sum = device.and_then([&](const auto& gpu) { return crosslane::reduce<std::uint32_t>(*gpu, values); });
  const auto even = device.and_then([&](const auto& gpu) { return consumer::count_even(*gpu, values); });
  if (!sum || !even) {
    std::cerr << (sum ? even.error() : sum.error()).message << '\n';
    return 1;
  }
  std::cout << *sum << ' ' << *even << '\n';
}
