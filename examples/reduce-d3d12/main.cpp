// An engine's frame that sums one of its own buffers: Crosslane records into the engine's command list, between what
// the engine records before and after. On Windows with the system's Direct3D 12, elsewhere with vkd3d.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "crosslane/d3d12.hpp"
#include "crosslane/reduction.hpp"
#include "device/d3d12/com.hpp"  // on Windows a program includes <d3d12.h>, and has pointers of its own

#if !defined(_WIN32)
#include <dlfcn.h>
#endif

namespace {

using crosslane::d3d12::made;
using crosslane::d3d12::Reference;

using CreateDevice = HRESULT(WINAPI*)(IUnknown*, D3D_FEATURE_LEVEL, const GUID&, void**);

// Where a program that links d3d12.lib just calls it.
CreateDevice create_device_function() {
#if defined(_WIN32)
  HMODULE const library = LoadLibraryW(L"d3d12.dll");
  return library == nullptr
             ? nullptr
             : reinterpret_cast<CreateDevice>(reinterpret_cast<void*>(GetProcAddress(library, "D3D12CreateDevice")));
#else
  void* const library = dlopen("libvkd3d-utils.so.1", RTLD_NOW);
  return library == nullptr ? nullptr : reinterpret_cast<CreateDevice>(dlsym(library, "D3D12CreateDevice"));
#endif
}

/// What an engine has long before it meets Crosslane.
struct Engine {
  Reference<ID3D12Device> device;
  Reference<ID3D12CommandQueue> queue;
  Reference<ID3D12CommandAllocator> allocator;
  Reference<ID3D12GraphicsCommandList> commands;
  Reference<ID3D12Fence> fence;

  // The objects are made or the program ends: an example has nobody to tell.
  template <typename Interface, typename Make>
  static Reference<Interface> must(const Make& make) {
    auto object = made<Interface>("Making an object of Direct3D 12", make);
    if (!object) {
      std::cerr << object.error().message << '\n';
      std::exit(1);
    }
    return *std::move(object);
  }

  Engine() {
    const auto create = create_device_function();
    if (create == nullptr) {
      std::cerr << "there is no Direct3D 12 here\n";
      std::exit(1);
    }
    device =
        must<ID3D12Device>([&](REFIID id, void** place) { return create(nullptr, D3D_FEATURE_LEVEL_11_0, id, place); });
    constexpr auto type = D3D12_COMMAND_LIST_TYPE_DIRECT;
    D3D12_COMMAND_QUEUE_DESC description{};
    description.Type = type;
    queue = must<ID3D12CommandQueue>(
        [&](REFIID id, void** place) { return device->CreateCommandQueue(&description, id, place); });
    allocator = must<ID3D12CommandAllocator>(
        [&](REFIID id, void** place) { return device->CreateCommandAllocator(type, id, place); });
    commands = must<ID3D12GraphicsCommandList>([&](REFIID id, void** place) {
      return device->CreateCommandList(0, type, allocator.get(), nullptr, id, place);
    });
    fence = must<ID3D12Fence>(
        [&](REFIID id, void** place) { return device->CreateFence(0, D3D12_FENCE_FLAG_NONE, id, place); });
  }

  [[nodiscard]] Reference<ID3D12Resource> buffer(D3D12_HEAP_TYPE heap_type, std::uint64_t bytes,
                                                 D3D12_RESOURCE_STATES state) const {
    D3D12_HEAP_PROPERTIES heap{};
    heap.Type = heap_type;
    D3D12_RESOURCE_DESC resource{};
    resource.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
    resource.Width = bytes;
    resource.Height = 1;
    resource.DepthOrArraySize = 1;
    resource.MipLevels = 1;
    resource.SampleDesc.Count = 1;
    resource.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
    resource.Flags =
        heap_type == D3D12_HEAP_TYPE_DEFAULT ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS : D3D12_RESOURCE_FLAG_NONE;
    return must<ID3D12Resource>([&](REFIID id, void** place) {
      return device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &resource, state, nullptr, id, place);
    });
  }

  void transition(ID3D12Resource* resource, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) const {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
    barrier.Transition = {resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after};
    commands->ResourceBarrier(1, &barrier);
  }

  void run() const {
    commands->Close();
    ID3D12CommandList* const list = commands.get();
    queue->ExecuteCommandLists(1, &list);
    queue->Signal(fence.get(), 1);
    fence->SetEventOnCompletion(1, nullptr);
  }
};

// Where a buffer is between the engine's passes.
constexpr auto between_passes = D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;

crosslane::Expected<void> record_sum(crosslane::Device& device, crosslane::Reduction& reduction, const Engine& engine,
                                     ID3D12Resource* values, std::uint64_t count, ID3D12Resource* sum,
                                     std::unique_ptr<crosslane::CommandList>& kept) {
  const auto input = crosslane::d3d12::adopt_buffer(device, values, count * sizeof(std::uint32_t), between_passes);
  const auto output = crosslane::d3d12::adopt_buffer(device, sum, sizeof(std::uint32_t));
  auto list = crosslane::d3d12::adopt_command_list(device, engine.commands.get());
  if (!input || !output || !list) {
    return crosslane::fail(crosslane::ErrorCode::device, "the engine's objects were not adopted");
  }
  kept = *std::move(list);
  return reduction.record(*kept, **input, 0, count, **output).and_then([&] {
    return crosslane::d3d12::end_recording(device, *kept);
  });
}

}  // namespace

int main() {
  const Engine engine;
  const auto device = crosslane::d3d12::adopt(engine.device.get(), engine.queue.get());
  auto reduction = device.and_then(
      [](const auto& adopted) { return crosslane::Reduction::create(*adopted, crosslane::ReductionOptions()); });
  if (!reduction) {
    std::cerr << reduction.error().message << '\n';
    return 1;
  }

  // The engine's own part of the frame: its buffer gets values, and is left as shaders read it.
  constexpr std::uint64_t count = 1'000'000;
  std::vector<std::uint32_t> values(count);
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    values[i] = i * 2654435761U;
    expected += values[i];
  }
  const auto bytes = count * sizeof(std::uint32_t);
  const auto staging = engine.buffer(D3D12_HEAP_TYPE_UPLOAD, bytes, D3D12_RESOURCE_STATE_GENERIC_READ);
  const auto buffer = engine.buffer(D3D12_HEAP_TYPE_DEFAULT, bytes, D3D12_RESOURCE_STATE_COPY_DEST);
  const auto sum = engine.buffer(D3D12_HEAP_TYPE_DEFAULT, sizeof(std::uint32_t), D3D12_RESOURCE_STATE_COMMON);
  const auto result = engine.buffer(D3D12_HEAP_TYPE_READBACK, sizeof(std::uint32_t), D3D12_RESOURCE_STATE_COPY_DEST);
  void* mapped = nullptr;
  staging->Map(0, nullptr, &mapped);
  std::memcpy(mapped, values.data(), bytes);
  staging->Unmap(0, nullptr);
  engine.commands->CopyBufferRegion(buffer.get(), 0, staging.get(), 0, bytes);
  engine.transition(buffer.get(), D3D12_RESOURCE_STATE_COPY_DEST, between_passes);

  std::unique_ptr<crosslane::CommandList> list;  // kept until the work is done
  if (const auto recorded = record_sum(**device, *reduction, engine, buffer.get(), count, sum.get(), list); !recorded) {
    std::cerr << recorded.error().message << '\n';
    return 1;
  }

  // And the engine goes on.
  engine.transition(sum.get(), D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_SOURCE);
  engine.commands->CopyBufferRegion(result.get(), 0, sum.get(), 0, sizeof(std::uint32_t));
  engine.run();

  result->Map(0, nullptr, &mapped);
  std::uint32_t found = 0;
  std::memcpy(&found, mapped, sizeof(found));
  result->Unmap(0, nullptr);
  std::cout << "the sum of " << count << " values is " << found << ", by " << name(reduction->method()) << '\n';
  return found == expected ? 0 : 1;
}
