#include "hlsl/run_kernel.hpp"

#include <map>
#include <memory>
#include <stdexcept>

#include "support/expected.hpp"
#include "support/test_device.hpp"

namespace crosslane::hlsl_tests {
namespace {

using test::must;

/// Pipelines are made once: the software driver is slow to compile them.
Pipeline& pipeline_of(const std::string& name) {
  Device& device = test::device();  // outlives the pipelines, since it is made first
  static std::map<std::string, std::unique_ptr<Pipeline>> pipelines;
  std::unique_ptr<Pipeline>& pipeline = pipelines[name];
  if (!pipeline) {
    const Kernel* kernel = find_kernel(kernels(), name);
    if (kernel == nullptr) {
      throw std::runtime_error("no kernel " + name);
    }
    pipeline = must(device.create_pipeline({.spirv = kernel->spirv, .name = name, .dxil = kernel->dxil}));
  }
  return *pipeline;
}

}  // namespace

std::vector<std::string> kernels_below(std::string_view prefix) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels()) {
    if (kernel.name.starts_with(prefix)) {
      names.emplace_back(kernel.name.substr(prefix.size()));
    }
  }
  return names;
}

std::string unchecked(std::string_view name) {
  constexpr std::string_view prefix = "checked.";
  return std::string(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
}

void run_kernel(const std::string& name, std::vector<Array>& arrays, const std::vector<std::uint32_t>& constants,
                std::uint32_t groups) {
  Device& device = test::device();
  const Pipeline& pipeline = pipeline_of(name);
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<Binding> bindings;
  for (const Array& array : arrays) {
    const auto bytes = std::as_bytes(std::span(array.words));
    buffers.push_back(must(device.create_buffer({.bytes = bytes.size()})));
    must(upload(device, *buffers.back(), bytes));
    bindings.push_back({.slot = static_cast<std::uint32_t>(bindings.size()), .buffer = buffers.back().get()});
  }
  const auto list = must(device.create_command_list());
  must(list->dispatch(pipeline, bindings, std::as_bytes(std::span(constants)), {groups, 1, 1}));
  must(run(device, *list));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    must(download(device, *buffers[i], std::as_writable_bytes(std::span(arrays[i].words))));
  }
}

std::uint32_t wave_size() { return test::device().info().wave_sizes.standard; }

}  // namespace crosslane::hlsl_tests
