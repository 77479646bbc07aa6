#include "hlsl/test_device.hpp"

#include <gtest/gtest.h>
#include <cstdlib>
#include <memory>

#include "crosslane/vulkan.hpp"

namespace crosslane::hlsl_tests {
namespace {

std::string text_of(const Error& error) {
  std::string text = error.message;
  for (const std::string& reason : error.reasons) {
    text += ": " + reason;
  }
  return text;
}

struct OpenDevice {
  std::unique_ptr<vulkan::Instance> instance;
  std::unique_ptr<Device> device;
  std::map<std::string, std::unique_ptr<Pipeline>> pipelines;  // made once: the driver is slow to compile
};

OpenDevice open_device() {
  OpenDevice open;
  auto instance = vulkan::create_instance();
  if (instance) {
    open.instance = std::move(*instance);
    if (auto device = open.instance->open(0)) {
      open.device = std::move(*device);
    }
  }
  if (!open.device) {
    std::cerr << "these tests need a Vulkan device, for example Debian's mesa-vulkan-drivers\n";
    std::exit(EXIT_FAILURE);
  }
  return open;
}

OpenDevice& opened() {
  static OpenDevice open = open_device();
  return open;
}

Expected<Pipeline*> pipeline_of(const Kernel& kernel) {
  std::unique_ptr<Pipeline>& pipeline = opened().pipelines[std::string(kernel.name)];
  if (!pipeline) {
    auto made = test_device().create_pipeline({.spirv = kernel.spirv, .name = std::string(kernel.name)});
    if (!made) {
      return tl::unexpected(made.error());
    }
    pipeline = std::move(*made);
  }
  return pipeline.get();
}

Expected<void> run_steps(const Kernel& kernel, std::vector<Array>& arrays, const std::vector<std::uint32_t>& constants,
                         std::uint32_t groups) {
  Device& device = test_device();
  const auto pipeline = pipeline_of(kernel);
  if (!pipeline) {
    return tl::unexpected(pipeline.error());
  }
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<Binding> bindings;
  for (const Array& array : arrays) {
    const auto bytes = std::as_bytes(std::span(array.words));
    auto buffer = device.create_buffer({.bytes = bytes.size(), .memory = MemoryKind::device});
    if (!buffer) {
      return tl::unexpected(buffer.error());
    }
    if (auto done = upload(device, **buffer, bytes); !done) {
      return done;
    }
    bindings.push_back({.slot = static_cast<std::uint32_t>(buffers.size()), .buffer = buffer->get()});
    buffers.push_back(std::move(*buffer));
  }
  const auto list = device.create_command_list();
  if (!list) {
    return tl::unexpected(list.error());
  }
  if (auto done = (*list)->dispatch(**pipeline, bindings, std::as_bytes(std::span(constants)), {groups, 1, 1}); !done) {
    return done;
  }
  if (auto done = run(device, **list); !done) {
    return done;
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (auto done = download(device, *buffers[i], std::as_writable_bytes(std::span(arrays[i].words))); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace

Device& test_device() { return *opened().device; }

void run_kernel(const std::string& name, std::vector<Array>& arrays, const std::vector<std::uint32_t>& constants,
                std::uint32_t groups) {
  const Kernel* kernel = find_kernel(kernels(), name);
  ASSERT_NE(kernel, nullptr) << name;
  const auto done = run_steps(*kernel, arrays, constants, groups);
  ASSERT_TRUE(done.has_value()) << name << ": " << text_of(done.error());
}

std::uint32_t expected_wave_size() {
  const char* text = std::getenv("CROSSLANE_EXPECTED_WAVE_SIZE");
  return text == nullptr ? 0 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

}  // namespace crosslane::hlsl_tests
