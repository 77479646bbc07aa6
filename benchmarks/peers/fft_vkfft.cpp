#include "fft_vkfft.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define VKFFT_BACKEND 0
#include "vkFFT_mended.h"

namespace peers {
namespace {

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) {
    std::fprintf(stderr, "peers: %s: Vulkan error %d\n", what, static_cast<int>(result));
    std::exit(3);
  }
}

void check_fft(VkFFTResult result, const char* what) {
  if (result != VKFFT_SUCCESS) {
    std::fprintf(stderr, "peers: %s: VkFFT error %d\n", what, static_cast<int>(result));
    std::exit(3);
  }
}

struct Array {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
};

/// The first GPU with one queue: a device of VkFFT's own, so that nothing is shared with the other side.
struct Gpu {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  VkQueryPool clock = VK_NULL_HANDLE;
  double nanoseconds_per_tick = 1;

  Gpu() {
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo of_instance{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    of_instance.pApplicationInfo = &application;
    check(vkCreateInstance(&of_instance, nullptr, &instance), "create instance");
    std::array<VkPhysicalDevice, 8> all{};
    auto count = static_cast<std::uint32_t>(all.size());
    vkEnumeratePhysicalDevices(instance, &count, all.data());
    VkPhysicalDeviceProperties properties{};
    for (std::uint32_t i = 0; i < count && physical_device == VK_NULL_HANDLE; ++i) {
      vkGetPhysicalDeviceProperties(all[i], &properties);
      if (properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) {
        physical_device = all[i];
      }
    }
    nanoseconds_per_tick = properties.limits.timestampPeriod;
    const float priority = 1;
    VkDeviceQueueCreateInfo of_queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};  // family 0 computes on every GPU
    of_queue.queueCount = 1;
    of_queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo of_device{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    of_device.queueCreateInfoCount = 1;
    of_device.pQueueCreateInfos = &of_queue;
    check(vkCreateDevice(physical_device, &of_device, nullptr, &device), "create device");
    vkGetDeviceQueue(device, 0, 0, &queue);
    VkCommandPoolCreateInfo of_pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    of_pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    check(vkCreateCommandPool(device, &of_pool, nullptr, &pool), "create command pool");
    VkFenceCreateInfo of_fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(vkCreateFence(device, &of_fence, nullptr, &fence), "create fence");
    VkQueryPoolCreateInfo of_clock{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    of_clock.queryType = VK_QUERY_TYPE_TIMESTAMP;
    of_clock.queryCount = 2;
    check(vkCreateQueryPool(device, &of_clock, nullptr, &clock), "create query pool");
  }
  ~Gpu() {
    vkDestroyQueryPool(device, clock, nullptr);
    vkDestroyFence(device, fence, nullptr);
    vkDestroyCommandPool(device, pool, nullptr);
    vkDestroyDevice(device, nullptr);
    vkDestroyInstance(instance, nullptr);
  }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  [[nodiscard]] Array make(VkDeviceSize bytes, VkMemoryPropertyFlags wanted) const {
    Array made;
    VkBufferCreateInfo of_buffer{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    of_buffer.size = bytes;
    of_buffer.usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    check(vkCreateBuffer(device, &of_buffer, nullptr, &made.buffer), "create buffer");
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(device, made.buffer, &needs);
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
    VkMemoryAllocateInfo of_memory{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    of_memory.allocationSize = needs.size;
    for (std::uint32_t type = memory.memoryTypeCount; type-- > 0;) {
      const auto has = memory.memoryTypes[type].propertyFlags;
      if (((needs.memoryTypeBits >> type) & 1U) != 0 && (has & wanted) == wanted) {
        of_memory.memoryTypeIndex = type;
      }
    }
    check(vkAllocateMemory(device, &of_memory, nullptr, &made.memory), "allocate");
    check(vkBindBufferMemory(device, made.buffer, made.memory, 0), "bind memory");
    return made;
  }
  void destroy(const Array& array) const {
    vkDestroyBuffer(device, array.buffer, nullptr);
    vkFreeMemory(device, array.memory, nullptr);
  }

  template <typename Record>
  void run(Record record) {
    VkCommandBufferAllocateInfo of_commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    of_commands.commandPool = pool;
    of_commands.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(device, &of_commands, &commands), "allocate commands");
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(commands, &begin), "begin commands");
    record(commands);
    check(vkEndCommandBuffer(commands), "end commands");
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    check(vkQueueSubmit(queue, 1, &submit, fence), "submit");
    check(vkWaitForFences(device, 1, &fence, VK_TRUE, ~std::uint64_t{0}), "wait");
    check(vkResetFences(device, 1, &fence), "reset fence");
    vkFreeCommandBuffers(device, pool, 1, &commands);
  }
};

}  // namespace

struct VkFft::State {
  Gpu gpu;
  std::uint64_t bytes = 0;
  std::vector<Array> arrays;
  VkFFTApplication application{};

  void append(VkCommandBuffer commands, std::size_t set) {
    VkFFTLaunchParams launch{};
    launch.commandBuffer = &commands;
    launch.buffer = &arrays[set].buffer;
    check_fft(VkFFTAppend(&application, -1, &launch), "transform");
  }

  // Copies `count` bytes between the host's values and the first array.
  void transfer(void* host, std::uint64_t count, bool upload) {
    const Array staging = gpu.make(count, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    void* mapped = nullptr;
    check(vkMapMemory(gpu.device, staging.memory, 0, count, 0, &mapped), "map");
    if (upload) {
      std::memcpy(mapped, host, count);
    }
    gpu.run([&](VkCommandBuffer commands) {
      const VkBufferCopy copy{0, 0, count};
      vkCmdCopyBuffer(commands, upload ? staging.buffer : arrays[0].buffer, upload ? arrays[0].buffer : staging.buffer,
                      1, &copy);
    });
    if (!upload) {
      std::memcpy(host, mapped, count);
    }
    gpu.destroy(staging);
  }
};

VkFft::VkFft(std::uint64_t size, std::uint64_t batch, int sets) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.bytes = size * batch * sizeof(std::complex<float>);
  for (int set = 0; set < sets; ++set) {
    s.arrays.push_back(s.gpu.make(s.bytes, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT));
    s.gpu.run([&](VkCommandBuffer commands) { vkCmdFillBuffer(commands, s.arrays.back().buffer, 0, s.bytes, 0); });
  }
  VkFFTConfiguration configuration{};
  configuration.FFTdim = 1;
  configuration.size[0] = size;
  configuration.numberBatches = batch;
  configuration.physicalDevice = &s.gpu.physical_device;
  configuration.device = &s.gpu.device;
  configuration.queue = &s.gpu.queue;
  configuration.commandPool = &s.gpu.pool;
  configuration.fence = &s.gpu.fence;
  configuration.makeForwardPlanOnly = 1;
  configuration.bufferSize = &s.bytes;
  check_fft(initializeVkFFT(&s.application, configuration), "plan");
}

VkFft::~VkFft() {
  deleteVkFFT(&state_->application);
  for (const Array& array : state_->arrays) {
    state_->gpu.destroy(array);
  }
}

double VkFft::time_fft(int repeats) {
  State& s = *state_;
  s.gpu.run([&](VkCommandBuffer commands) {
    vkCmdResetQueryPool(commands, s.gpu.clock, 0, 2);
    s.append(commands, 0);  // the first work after another program's takes some 0.1 ms more
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, s.gpu.clock, 0);
    for (int repeat = 0; repeat < repeats; ++repeat) {
      s.append(commands, static_cast<std::size_t>(repeat) % s.arrays.size());
    }
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, s.gpu.clock, 1);
  });
  std::array<std::uint64_t, 2> ticks{};
  check(vkGetQueryPoolResults(s.gpu.device, s.gpu.clock, 0, 2, sizeof(ticks), ticks.data(), sizeof(ticks[0]),
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "read clock");
  return static_cast<double>(ticks[1] - ticks[0]) * s.gpu.nanoseconds_per_tick / 1e6 / repeats;
}

std::vector<std::complex<float>> VkFft::transform(const std::vector<std::complex<float>>& values) {
  State& s = *state_;
  auto results = values;
  const std::uint64_t bytes = std::min<std::uint64_t>(s.bytes, values.size() * sizeof(values[0]));
  s.transfer(results.data(), bytes, true);
  s.gpu.run([&](VkCommandBuffer commands) { s.append(commands, 0); });
  s.transfer(results.data(), bytes, false);
  return results;
}

}  // namespace peers
