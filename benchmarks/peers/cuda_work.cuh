// What the CUDA sides of the comparisons share: test data, and several repeats of work in one graph between two events.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "kernels/measure/hash.hlsli"

namespace peers {

inline void check(cudaError_t result, const char* what) {
  if (result != cudaSuccess) {
    std::fprintf(stderr, "peers: %s: %s\n", what, cudaGetErrorString(result));
    std::exit(3);
  }
}

namespace {  // a kernel belongs to the file that launches it

/// The words that crosslane::measure::fill_with_hashes makes.
__global__ void fill(std::uint32_t* words, std::uint64_t count, std::uint32_t first) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    words[i] = crosslane::kernel_interface::hash_of(first + static_cast<std::uint32_t>(i));
  }
}

}  // namespace

template <typename T>
T* allocate(std::uint64_t count) {
  T* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "allocate");
  return memory;
}

/// A stream and a clock.
class CudaWork {
 public:
  CudaWork() {
    check(cudaStreamCreate(&stream), "create stream");
    check(cudaEventCreate(&begin), "create event");
    check(cudaEventCreate(&end), "create event");
  }

  /// A graph of what `body` puts on the stream.
  template <typename Body>
  cudaGraphExec_t capture(Body body) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin capture");
    body();
    check(cudaStreamEndCapture(stream, &graph), "end capture");
    check(cudaGraphInstantiate(&executable, graph, 0), "instantiate graph");
    check(cudaGraphDestroy(graph), "destroy graph");
    return executable;
  }

  /// A graph of `repeats` calls of `body`, one after the other, with the sets in rotation.
  template <typename Body>
  cudaGraphExec_t capture_repeats(int repeats, std::size_t sets, Body body) {
    return capture([&] {
      for (int repeat = 0; repeat < repeats; ++repeat) {
        body(static_cast<std::size_t>(repeat) % sets);
      }
    });
  }

  /// Milliseconds of the fastest of some graphs.
  double time_of_fastest(const std::vector<cudaGraphExec_t>& graphs) {
    double best = 1e30;
    for (cudaGraphExec_t graph : graphs) {
      const double now = time(graph);
      best = now < best ? now : best;
    }
    return best;
  }

  /// Milliseconds of the graph's one run.
  double time(cudaGraphExec_t graph) {
    return time([&] { check(cudaGraphLaunch(graph, stream), "launch graph"); });
  }

  template <typename Body>
  double time(Body body) {
    float milliseconds = 0;
    check(cudaEventRecord(begin, stream), "record event");
    body();
    check(cudaEventRecord(end, stream), "record event");
    check(cudaEventSynchronize(end), "wait for event");
    check(cudaEventElapsedTime(&milliseconds, begin, end), "read events");
    return static_cast<double>(milliseconds);
  }

  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
};

inline std::string cuda_device_name() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "device properties");
  return properties.name;
}

inline std::string cuda_driver_version() {
  int version = 0;
  check(cudaDriverGetVersion(&version), "driver version");
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace peers
