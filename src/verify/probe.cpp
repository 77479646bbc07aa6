#include "verify/probe.hpp"

#include <array>
#include <span>

#include "kernels/kernel.hpp"

namespace crosslane::conformance {
namespace {

/// A device buffer filled with `content`, which is not empty.
template <typename T>
Expected<std::unique_ptr<Buffer>> filled_buffer(Device& device, const std::vector<T>& content) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(content));
  auto buffer = device.create_buffer({.bytes = bytes.size(), .memory = MemoryKind::device});
  if (!buffer) {
    return buffer;
  }
  if (auto done = upload(device, **buffer, bytes); !done) {
    return tl::unexpected(std::move(done.error()));
  }
  return buffer;
}

template <typename T>
std::vector<T> at_least_one(std::vector<T> values) {
  if (values.empty()) {
    values.push_back(T{});
  }
  return values;
}

}  // namespace

Expected<Pipeline*> Probe::pipeline(const std::string& name) {
  auto found = pipelines_.find(name);
  if (found == pipelines_.end()) {
    const Kernel* kernel = find_kernel(kernels(), name);
    if (kernel == nullptr) {
      return fail(ErrorCode::unsupported, "this build has no shader " + name + "; build it anew");
    }
    found = pipelines_
                .emplace(name, device_.create_pipeline({.spirv = kernel->spirv,
                                                        .constants = {},
                                                        .wave_size = wave_size_,
                                                        .name = name,
                                                        .dxil = kernel->dxil}))
                .first;
  }
  if (!found->second) {
    return fail_because("the driver refused the shader " + name, found->second.error());
  }
  return found->second->get();
}

Expected<Recording> Probe::run(const std::string& name, const Inputs& inputs, std::uint32_t slots) {
  const auto shader = pipeline(name);
  if (!shader) {
    return tl::unexpected(shader.error());
  }
  const std::uint32_t threads = inputs.threads();
  std::vector<std::uint64_t> records(static_cast<std::size_t>(slots) * threads, Recording::unwritten);

  const auto values = filled_buffer(device_, inputs.values);
  const auto callers = filled_buffer(device_, inputs.callers);
  const auto distances = filled_buffer(device_, at_least_one(inputs.distances));
  const auto recorded = filled_buffer(device_, records);
  for (const auto* buffer : {&values, &callers, &distances, &recorded}) {
    if (!*buffer) {
      return tl::unexpected(buffer->error());
    }
  }
  const auto list = device_.create_command_list();
  if (!list) {
    return tl::unexpected(list.error());
  }

  const std::array bindings = {
      Binding{.slot = 0, .buffer = values->get()}, Binding{.slot = 1, .buffer = callers->get()},
      Binding{.slot = 2, .buffer = distances->get()}, Binding{.slot = 3, .buffer = recorded->get()}};
  const std::array constants = {threads, inputs.distance_count()};
  const auto done =
      (*list)
          ->dispatch(**shader, bindings, std::as_bytes(std::span(constants)), {inputs.groups, 1, 1})
          .and_then([&] { return crosslane::run(device_, **list); })
          .and_then([&] { return download(device_, **recorded, std::as_writable_bytes(std::span(records))); });
  if (!done) {
    return fail_because("the shader " + name + " did not run", done.error());
  }
  return Recording(threads, std::move(records));
}

}  // namespace crosslane::conformance
