#include "measure/hash_fill.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "kernels/kernel.hpp"

namespace crosslane::measure {
namespace {

/// One dispatch per part that a binding can show; parts are a power of two bytes, so every one begins aligned.
Expected<void> record_fill(Device& device, CommandList& list, const Pipeline& pipeline, Buffer& buffer,
                           std::uint64_t words, std::uint32_t first, const WordPattern& pattern) {
  constexpr std::uint64_t largest_part = std::uint64_t{1} << 26U;
  const std::uint64_t part = std::min(largest_part, std::bit_floor(device.info().limits.binding_bytes) / 4);
  for (std::uint64_t begin = 0; begin < words; begin += part) {
    const auto count = static_cast<std::uint32_t>(std::min(part, words - begin));
    kernel_interface::HashFillParams params{};
    params.first_number = first + static_cast<std::uint32_t>(begin);
    params.count = count;
    params.pattern = pattern;
    params.groups = std::min<std::uint32_t>((count + 255) / 256, 4096);
    const std::array bindings = {Binding{0, &buffer, begin * 4, std::uint64_t{count} * 4}};
    auto recorded = list.dispatch(pipeline, bindings, std::as_bytes(std::span(&params, 1)), {params.groups, 1, 1});
    if (!recorded) {
      return recorded;
    }
  }
  return {};
}

}  // namespace

Expected<void> fill_with_hashes(Device& device, Buffer& buffer, std::uint64_t words, std::uint32_t first,
                                const WordPattern& pattern) {
  const Kernel* kernel = find_kernel(kernels(), "measure.hash_fill");
  if (kernel == nullptr) {
    return fail(ErrorCode::unsupported, "this build of Crosslane has no kernel 'measure.hash_fill'");
  }
  PipelineDescription description;
  description.spirv = kernel->spirv;
  description.dxil = kernel->dxil;
  description.name = kernel->name;
  std::unique_ptr<Pipeline> pipeline;
  return device.create_pipeline(description)
      .map([&](auto created) { pipeline = std::move(created); })
      .and_then([&] { return device.create_command_list(); })
      .and_then([&](std::unique_ptr<CommandList> list) {
        return record_fill(device, *list, *pipeline, buffer, words, first, pattern).and_then([&] {
          return run(device, *list);
        });
      });
}

}  // namespace crosslane::measure
