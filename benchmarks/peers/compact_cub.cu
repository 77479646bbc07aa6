#include "compact_cub.hpp"

#include <algorithm>

#include <cub/device/device_select.cuh>

#include "copy_all.cuh"
#include "cuda_work.cuh"

namespace peers {
namespace {

struct IsKept {
  __device__ bool operator()(std::uint32_t value) const { return value < compact_limit; }
};

/// Reads 2 · Pairs vectors a thread and writes half as many.
template <int Pairs>
__global__ void copy_half(const uint4* from, uint4* to, std::uint64_t pairs) {
  const std::uint64_t base = blockIdx.x * std::uint64_t{blockDim.x} * Pairs + threadIdx.x;
  uint4 first[Pairs];
  uint4 second[Pairs];
#pragma unroll
  for (int k = 0; k < Pairs; ++k) {
    const std::uint64_t i = base + std::uint64_t{blockDim.x} * k;
    first[k] = i < pairs ? from[i] : uint4{};
    second[k] = i < pairs ? from[i + pairs] : uint4{};
  }
#pragma unroll
  for (int k = 0; k < Pairs; ++k) {
    const std::uint64_t i = base + std::uint64_t{blockDim.x} * k;
    if (i < pairs) {
      to[i] = uint4{first[k].x ^ second[k].x, first[k].y ^ second[k].y, first[k].z ^ second[k].z,
                    first[k].w ^ second[k].w};
    }
  }
}

}  // namespace

struct CubCompact::State {
  std::uint64_t count = 0;
  int repeats = 0;
  std::vector<std::uint32_t*> inputs;
  std::vector<std::uint32_t*> outputs;
  std::uint32_t* kept = nullptr;  // [set]
  void* scratch = nullptr;
  std::size_t scratch_bytes = 0;
  CudaWork work;
  cudaGraphExec_t compact_graph = nullptr;
  std::vector<cudaGraphExec_t> copy_graphs;

  void compact(std::size_t set) {
    check(cub::DeviceSelect::If(scratch, scratch_bytes, inputs[set], outputs[set], kept + set, static_cast<int>(count),
                                IsKept{}, work.stream),
          "select");
  }

  template <typename Body>
  cudaGraphExec_t capture(Body body) {
    return work.capture_repeats(repeats, inputs.size(), body);
  }
};

CubCompact::CubCompact(std::uint64_t count, int sets, int repeats) : state_(new State) {
  State& s = *state_;
  s.count = count;
  s.repeats = repeats;
  s.kept = allocate<std::uint32_t>(static_cast<std::uint64_t>(sets));
  for (int set = 0; set < sets; ++set) {
    s.inputs.push_back(allocate<std::uint32_t>(count));
    s.outputs.push_back(allocate<std::uint32_t>(count));
    fill<<<4096, 256, 0, s.work.stream>>>(s.inputs.back(), count, static_cast<std::uint32_t>(set));
  }
  s.compact(0);  // tells the size of its scratch memory
  s.scratch = allocate<char>(s.scratch_bytes);
  check(cudaStreamSynchronize(s.work.stream), "fill");
  s.compact_graph = s.capture([&](std::size_t set) { s.compact(set); });
  const auto copy = [&](auto kernel, std::uint64_t loads, unsigned threads) {
    return capture_moves(s.work, repeats, s.inputs, s.outputs, count / 8, kernel, loads, threads);
  };
  s.copy_graphs = {copy(copy_half<1>, 1, 512), copy(copy_half<2>, 2, 256), copy(copy_half<2>, 2, 512),
                   copy(copy_half<4>, 4, 256)};
}

CubCompact::~CubCompact() {
  for (std::size_t set = 0; set < state_->inputs.size(); ++set) {
    cudaFree(state_->inputs[set]);
    cudaFree(state_->outputs[set]);
  }
  cudaFree(state_->kept);
  cudaFree(state_->scratch);
  delete state_;
}

double CubCompact::time_compact() { return state_->work.time(state_->compact_graph) / state_->repeats; }

double CubCompact::time_copy() {
  return state_->work.time_of_fastest(state_->copy_graphs) / state_->repeats;
}

std::vector<std::uint32_t> CubCompact::results(int set, std::uint64_t& kept) {
  time_compact();  // copies have overwritten them
  std::vector<std::uint32_t> results(state_->count);
  check(cudaMemcpy(results.data(), state_->outputs[static_cast<std::size_t>(set)],
                   results.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
        "read back");
  std::uint32_t number = 0;
  check(cudaMemcpy(&number, state_->kept + set, sizeof(number), cudaMemcpyDeviceToHost), "read back");
  kept = number;
  return results;
}

}  // namespace peers
