#include "reduce_cub.hpp"

#include <cub/device/device_reduce.cuh>

#include "cuda_work.cuh"

namespace peers {
namespace {

/// Reads all of `vectors` with `Loads` 16-byte loads in flight; writes only what never happens, so that all must be
/// read.
template <int Loads>
__global__ void read_all(const uint4* vectors, std::uint64_t count, std::uint32_t* sink) {
  std::uint32_t mixed = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x * Loads;
  for (std::uint64_t base = blockIdx.x * std::uint64_t{blockDim.x} * Loads + threadIdx.x; base < count;
       base += stride) {
    uint4 loaded[Loads];
#pragma unroll
    for (int k = 0; k < Loads; ++k) {
      const std::uint64_t i = base + std::uint64_t{blockDim.x} * k;
      loaded[k] = i < count ? __ldcs(vectors + i) : uint4{};
    }
#pragma unroll
    for (int k = 0; k < Loads; ++k) {
      mixed ^= loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
    }
  }
  if (mixed == 0x5EED5EEDu && sink[0] == 0x5EED5EEDu) {
    sink[1] = mixed;
  }
}

}  // namespace

struct CubReduce::State {
  std::uint64_t count = 0;
  int sets = 0;
  int repeats = 0;
  std::vector<std::uint32_t*> inputs;
  std::uint32_t* outputs = nullptr;
  std::uint32_t* sink = nullptr;
  std::vector<void*> scratch;  // one per set
  std::size_t scratch_bytes = 0;
  CudaWork work;
  cudaGraphExec_t reduce_graph = nullptr;
  cudaGraphExec_t overlapping_graph = nullptr;
  std::vector<cudaGraphExec_t> read_graphs;

  void reduce(int set, cudaStream_t on) {
    check(cub::DeviceReduce::Sum(scratch[set], scratch_bytes, inputs[set], outputs + set, static_cast<int>(count), on),
          "reduce");
  }

  /// A graph of `repeats` calls of `body`, one after the other.
  template <typename Body>
  cudaGraphExec_t capture(Body body) {
    return work.capture_repeats(repeats, inputs.size(), [&](std::size_t set) { body(static_cast<int>(set)); });
  }

  /// A graph with one branch per set, and each set's reductions one after the other in its branch.
  cudaGraphExec_t capture_branches() {
    return work.capture([&] {
      check(cudaEventRecord(work.begin, work.stream), "fork");
      for (int set = 0; set < sets; ++set) {
        cudaStream_t branch = nullptr;
        cudaEvent_t done = nullptr;
        check(cudaStreamCreateWithFlags(&branch, cudaStreamNonBlocking), "create stream");
        check(cudaEventCreate(&done), "create event");
        check(cudaStreamWaitEvent(branch, work.begin), "fork");
        for (int repeat = set; repeat < repeats; repeat += sets) {
          reduce(set, branch);
        }
        check(cudaEventRecord(done, branch), "join");
        check(cudaStreamWaitEvent(work.stream, done), "join");
      }
    });
  }

  double time(cudaGraphExec_t graph) { return work.time(graph) / repeats; }
};

CubReduce::CubReduce(std::uint64_t count, int sets, int repeats) : state_(new State) {
  State& s = *state_;
  s.count = count;
  s.sets = sets;
  s.repeats = repeats;
  s.outputs = allocate<std::uint32_t>(sets);
  s.sink = allocate<std::uint32_t>(2);
  check(cudaMemset(s.sink, 0, 2 * sizeof(std::uint32_t)), "clear");
  for (int set = 0; set < sets; ++set) {
    auto* words = allocate<std::uint32_t>(count);
    fill<<<4096, 256, 0, s.work.stream>>>(words, count, static_cast<std::uint32_t>(set));
    s.inputs.push_back(words);
  }
  check(cub::DeviceReduce::Sum(nullptr, s.scratch_bytes, s.inputs[0], s.outputs, static_cast<int>(count), s.work.stream),
        "size of scratch");
  for (int set = 0; set < sets; ++set) {
    s.scratch.push_back(allocate<char>(s.scratch_bytes));
  }
  check(cudaStreamSynchronize(s.work.stream), "fill");
  s.reduce_graph = s.capture([&](int set) { s.reduce(set, s.work.stream); });
  s.overlapping_graph = s.capture_branches();
  for (const int blocks : {132 * 2, 132 * 4, 132 * 8, 132 * 16, 132 * 32}) {
    s.read_graphs.push_back(s.capture([&](int set) {
      read_all<8><<<blocks, 256, 0, s.work.stream>>>(reinterpret_cast<const uint4*>(s.inputs[set]), count / 4, s.sink);
    }));
    s.read_graphs.push_back(s.capture([&](int set) {
      read_all<4><<<blocks, 512, 0, s.work.stream>>>(reinterpret_cast<const uint4*>(s.inputs[set]), count / 4, s.sink);
    }));
  }
}

CubReduce::~CubReduce() {
  for (std::uint32_t* words : state_->inputs) {
    cudaFree(words);
  }
  cudaFree(state_->outputs);
  cudaFree(state_->sink);
  for (void* memory : state_->scratch) {
    cudaFree(memory);
  }
  delete state_;
}

double CubReduce::time_reduce() { return state_->time(state_->reduce_graph); }

double CubReduce::time_alone(int set) {
  State& s = *state_;
  return s.work.time([&] { s.reduce(set, s.work.stream); });
}

double CubReduce::time_overlapping() { return state_->time(state_->overlapping_graph); }

double CubReduce::time_read() {
  return state_->work.time_of_fastest(state_->read_graphs) / state_->repeats;
}

std::vector<std::uint32_t> CubReduce::results() {
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(state_->sets));
  check(cudaMemcpy(sums.data(), state_->outputs, sums.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
        "read back");
  return sums;
}

std::string CubReduce::device_name() { return cuda_device_name(); }

std::string CubReduce::driver_version() { return cuda_driver_version(); }

}  // namespace peers
